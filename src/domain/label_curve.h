#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "domain/reference.h"

namespace headroom::domain {

/// How the error of a simple predictor grows with the distance: measured on molecules that were used neither
/// for the predictor nor for the distance.
struct LabelCurve {
  struct Bin {
    double low = 0, high = 0;  ///< distances
    std::size_t molecules = 0;
    double error = 0;                      ///< mean absolute error, in the unit of the values
    double error_low = 0, error_high = 0;  ///< mean -/+ 1.96 standard errors
  };
  std::vector<Bin> bins;  ///< ten of equal count by distance; fewer where there are less than 100 molecules
  double error = 0;       ///< mean absolute error of all molecules
  double inner_half = 0, outer_tenth = 0;  ///< error of the nearest half and of the farthest tenth
  double constant_error = 0;               ///< error of predicting the mean of the training values
  std::size_t molecules = 0;

  bool empty() const { return bins.empty(); }
  /// The error of the bin of a distance; the outermost bins are open.
  double expected_error(double distance) const;
};

inline constexpr std::size_t kFoldsOfLabels = 5, kFewestLabelled = 50, kMostLabelled = 10000;

/// Ridge regression on standardised features. Whole scaffolds make five folds; each is predicted from the
/// other four, with the penalty (0.001 to 100 times n, in steps of 10) that predicts the next fold best from
/// the three others; its distances are to the other four. `values` [molecules]: NaN where missing; of more
/// than 10,000 values this many are drawn. Throws InputError where there are fewer than 50 values or two
/// scaffolds.
LabelCurve measure_errors(const Molecules& molecules, const std::vector<std::string>& scaffolds,
                          std::span<const double> values, Method method, std::uint64_t seed,
                          std::size_t threads);

}  // namespace headroom::domain
