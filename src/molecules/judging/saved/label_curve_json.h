#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "molecules/judging/label_curve.h"

namespace molgauge::domain {

/// Converts the curve of the values in `column` to JSON. An empty curve becomes null.
nlohmann::json curve_json(const LabelCurve& curve, const std::string& column);

/// Reverses curve_json() for a curve that is not null. Throws InputError or a JSON exception if a field is
/// missing or of another type.
LabelCurve curve_from(const nlohmann::json& fields);

}  // namespace molgauge::domain
