#pragma once

#include <nlohmann/json_fwd.hpp>

#include "molecules/judging/training_set.h"

namespace molgauge::domain {

/// The field "labels" of domain.json and of the manifest of a saved domain
/// (docs/reference/formats-domain.md).
nlohmann::ordered_json label_notes_json(const LabelNotes& notes);

/// Reads the result of label_notes_json(). Throws InputError or a JSON exception if it is invalid.
LabelNotes label_notes_from(const nlohmann::json& fields);

}  // namespace molgauge::domain
