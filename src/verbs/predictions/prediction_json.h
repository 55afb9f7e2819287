#pragma once

#include <nlohmann/json_fwd.hpp>

#include "models/domain/predictions/prediction_calibration.h"
#include "verbs/predictions/prediction_words.h"

namespace molgauge::session {

/// The part "predictions" of domain.json (docs/reference/formats.md).
nlohmann::ordered_json predictions_json(const domain::PredictionCalibration& calibration,
                                        const PredictionCounts& counts);

}  // namespace molgauge::session
