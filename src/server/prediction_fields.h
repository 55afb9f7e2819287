#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "server/exchange.h"
#include "server/models.h"
#include "server/molecule_lists.h"

namespace molgauge::serve {

/// Reads the fields with predictions from a request. Throws UsageError if the combination of fields is
/// invalid.
PredictionFields prediction_fields(const Request& request);

/// Throws UsageError if the model cannot judge the predictions in `fields`, or if a list of this form cannot
/// contain predictions.
void require_calibration(const PredictionFields& fields, const Model& model, ListForm form);

/// Returns `fields` with the column names of the calibration in place of empty names.
PredictionFields with_names_of(const StoredCalibration& calibration, PredictionFields fields);

/// Returns a JSON object {"kind", "prediction_column", ...}, or null if there is no calibration.
nlohmann::ordered_json calibration_json(const std::optional<StoredCalibration>& calibration);

}  // namespace molgauge::serve
