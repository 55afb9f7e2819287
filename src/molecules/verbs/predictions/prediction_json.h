#pragma once

#include <nlohmann/json_fwd.hpp>

#include "molecules/judging/predictions/prediction_calibration.h"
#include "molecules/verbs/predictions/prediction_words.h"

namespace molgauge::verbs {

/// The part "predictions" of domain.json (docs/reference/formats.md).
nlohmann::ordered_json predictions_json(const domain::PredictionCalibration& calibration,
                                        const PredictionCounts& counts);

}  // namespace molgauge::verbs
