#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "molecules/judging/label_curve.h"
#include "molecules/judging/training_set.h"

namespace molgauge::domain {

/// Converts the curve of the values in `column` to JSON. An empty curve becomes null.
nlohmann::json curve_json(const LabelCurve& curve, const std::string& column);

/// Reverses curve_json() for a curve that is not null. Throws InputError or a JSON exception if a field is
/// missing or of another type.
LabelCurve curve_from(const nlohmann::json& fields);

/// The field "labels" of domain.json and of the manifest of a saved domain
/// (docs/reference/formats-domain.md).
nlohmann::ordered_json label_notes_json(const LabelNotes& notes);

/// Reads the result of label_notes_json(). Throws InputError or a JSON exception if it is invalid.
LabelNotes label_notes_from(const nlohmann::json& fields);

}  // namespace molgauge::domain
