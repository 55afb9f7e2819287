#pragma once

#include <optional>

#include <nlohmann/json_fwd.hpp>

#include "serve/exchange.h"
#include "serve/models.h"
#include "serve/molecule_lists.h"

namespace headroom::serve {

/// The fields of a request that name predictions. Throws UsageError if they do not fit together.
PredictionFields prediction_fields(const Request& request);

/// Throws UsageError if the model cannot judge predictions, or if the list cannot contain them.
void require_calibration(const PredictionFields& fields, const Model& model, ListForm form);

/// Fills in the fields that the request leaves out, with the names of the columns of the calibration.
PredictionFields with_names_of(const StoredCalibration& calibration, PredictionFields fields);

/// {"kind", "prediction_column", ...}, or null.
nlohmann::ordered_json calibration_json(const std::optional<StoredCalibration>& calibration);

}  // namespace headroom::serve
