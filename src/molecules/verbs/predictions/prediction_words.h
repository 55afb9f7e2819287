#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "molecules/judging/predictions/prediction_calibration.h"

namespace molgauge::verbs {

/// Counts candidates by the results for their predictions.
struct PredictionCounts {
  std::size_t candidates = 0;  ///< readable candidates
  std::size_t meeting_conditions = 0;
  std::size_t without_result = 0;  ///< candidates without interval or set

  void add(const domain::PredictionOutcome& outcome);
};

/// The model check, and sentences on the calibration and its candidates, for the terminal.
std::string prediction_summary(const domain::PredictionCalibration& calibration,
                               const PredictionCounts& counts);

}  // namespace molgauge::verbs
