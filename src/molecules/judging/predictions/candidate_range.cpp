#include "molecules/judging/predictions/candidate_range.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/core/text/counted.h"

namespace molgauge::domain {
namespace {

/// The fewest calibration molecules that show a range.
constexpr std::size_t kMinForRange = 10;
/// A prediction is far if it lies this many widths of the calibration predictions beyond them.
constexpr double kFarWidths = 5;
/// Quantiles are meaningless if they are this many times as far apart as the measured values.
constexpr double kMeaningless = 100;

/// The number at a share of the sorted numbers, or NaN if there are none.
double at_share(std::vector<double> numbers, double share) {
  if (numbers.empty()) {
    return kNoNumber;
  }
  const auto place =
      numbers.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(numbers.size() - 1));
  std::nth_element(numbers.begin(), place, numbers.end());
  return *place;
}

}  // namespace

CandidateRange::CandidateRange(const PredictionCalibration& calibration)
    : columns_(calibration.settings().columns),
      is_regression_(!calibration.is_classification() && calibration.molecules().size() >= kMinForRange) {
  std::vector<double> predicted, measured, widths;
  for (const CalibrationMolecule& molecule : calibration.molecules()) {
    predicted.push_back(molecule.predicted.value);
    measured.push_back(molecule.measured);
    if (std::isfinite(molecule.predicted.upper - molecule.predicted.lower)) {
      widths.push_back(molecule.predicted.upper - molecule.predicted.lower);
    }
  }
  low_ = at_share(predicted, 0.05);
  high_ = at_share(predicted, 0.95);
  measured_range_ = at_share(measured, 0.95) - at_share(measured, 0.05);
  quantile_range_ = at_share(widths, 0.5);
}

void CandidateRange::add(const UserPrediction& prediction) {
  ++candidates_;
  const double margin = kFarWidths * std::max(high_ - low_, measured_range_);
  if (prediction.value < low_ - margin || prediction.value > high_ + margin) {
    example_ = far_++ == 0 ? prediction.value : example_;
  }
  const double width = prediction.upper - prediction.lower;
  if (width > kMeaningless * measured_range_) {
    wide_example_ = wide_++ == 0 ? width : wide_example_;
  }
}

std::vector<std::string> CandidateRange::warnings() const {
  std::vector<std::string> warnings;
  if (!is_regression_ || !(measured_range_ > 0)) {
    return warnings;
  }
  if (2 * far_ > candidates_) {
    warnings.push_back(fmt::format(
        "The predictions in the column {} of {} are far outside the predictions of the calibration molecules "
        "({:.3g} to {:.3g} for 90 %), for example {:.3g}. Check that both files have the same units.",
        columns_.prediction, counted(far_, "candidate"), low_, high_, example_));
  }
  const bool is_wide = quantile_range_ > kMeaningless * measured_range_;
  if (is_wide || 2 * wide_ > candidates_) {
    warnings.push_back(fmt::format(
        "The quantiles in the columns {} and {} of the {} are {:.3g} apart, but 90 % of the measured values "
        "lie within {:.3g}. Check these columns.",
        columns_.lower, columns_.upper, is_wide ? "calibration molecules" : "candidates",
        is_wide ? quantile_range_ : wide_example_, measured_range_));
  }
  return warnings;
}

}  // namespace molgauge::domain
