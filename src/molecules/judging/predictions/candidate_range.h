#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "molecules/judging/predictions/prediction_calibration.h"

namespace molgauge::domain {

/// Compares the predictions for candidates with the predictions for the calibration molecules, to find other
/// units and meaningless quantiles. Only for regression.
class CandidateRange {
 public:
  explicit CandidateRange(const PredictionCalibration& calibration);

  void add(const UserPrediction& prediction);
  /// Returns sentences that say what to check. A warning appears if more than half of the candidates are
  /// concerned, or if the quantiles of the calibration molecules are meaningless.
  std::vector<std::string> warnings() const;

 private:
  PredictionColumns columns_;
  bool is_regression_ = false;
  double low_ = 0, high_ = 0;  ///< middle 90 % of the calibration predictions
  double measured_range_ = 0;  ///< width of the middle 90 % of the measured values
  double quantile_range_ = 0;  ///< median width of the quantiles of the calibration molecules. NaN if none
  std::size_t candidates_ = 0, far_ = 0, wide_ = 0;
  double example_ = 0, wide_example_ = 0;  ///< the first prediction and the first width of these kinds
};

}  // namespace molgauge::domain
