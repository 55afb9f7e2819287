#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "molecules/judging/calibrated_domain.h"
#include "molecules/judging/clustered_estimates.h"

namespace molgauge::domain {

/// How the error of a simple predictor grows with the distance. The error is measured on molecules that were
/// used neither for the predictor nor for the distance. All intervals are 95 % intervals clustered by
/// scaffold (clustered_estimates.h).
struct LabelCurve {
  enum class Task { regression, classification };
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  static constexpr std::size_t kMaxBins = 10;

  struct Bin {
    double low = 0, high = 0;  ///< distances
    std::size_t molecules = 0;
    double error = 0;  ///< mean absolute error in the unit of the values, or the share of wrong classes
    double error_low = kUnknown, error_high = kUnknown;
    std::size_t scaffolds = 0;
    // The following fields are for classification.
    std::size_t positives = 0;
    Estimate auroc = {kUnknown, kUnknown, kUnknown};  ///< unknown if all molecules have one class
  };

  Task task = Task::regression;
  std::vector<Bin> bins;  ///< kMaxBins bins of equal count by distance, or fewer below 100 molecules
  double error = 0;       ///< error of all molecules, in the unit of Bin::error
  double error_low = kUnknown, error_high = kUnknown;
  double inner_half = 0, outer_tenth = 0;  ///< error of the nearest half and of the farthest tenth
  /// Error of predicting the mean of the training values, or their more frequent class.
  double constant_error = 0;
  std::size_t molecules = 0, scaffolds = 0;
  // The following fields are for classification.
  double negative_value = 0, positive_value = 1;  ///< the positive class has the larger value
  std::size_t positives = 0;
  Estimate auroc = {kUnknown, kUnknown, kUnknown};

  bool empty() const { return bins.empty(); }
  bool is_classification() const { return task == Task::classification; }
  /// Returns the error of the bin that contains the distance. Distances outside all bins belong to the
  /// nearest bin.
  double expected_error(double distance) const;
};

inline constexpr std::size_t kFoldsOfLabels = 5, kMinLabelled = 50, kMaxLabelled = 10000;
/// The largest allowed magnitude of a label. Sums and squares of larger labels could overflow.
inline constexpr double kLargestLabel = 1e100;

/// Measures the error curve by cross-validation. The labelled molecules are divided into five folds of whole
/// scaffolds. A ridge regression on standardised features predicts each fold from the other four. The penalty
/// is one of 0.001 n, 0.01 n, ..., 100 n. To choose the penalty for a fold, the next fold is predicted from
/// the remaining three folds. The criterion is the absolute error for measured values, and the squared error
/// for classes. For classes, the regression predicts 0 or 1, and a result of 0.5 or more means the positive
/// class.
///
/// The distance of a molecule is its distance to the training molecules, with or without labels, whose
/// scaffolds are in other folds.
///
/// `task`: if not set, values with exactly two distinct values are classes.
///
/// `values` [molecules]: NaN if missing. If there are more than 10,000 values, every k-th is used. Throws
/// InputError if there are fewer than 50 values or five scaffolds, if all values are equal, or if a value is
/// larger than kLargestLabel.
LabelCurve measure_errors(const CalibratedDomain& domain, const std::vector<std::string>& scaffolds,
                          std::span<const double> values, const CalibratedDomain::Settings& settings,
                          std::optional<LabelCurve::Task> task = std::nullopt);

}  // namespace molgauge::domain
