#pragma once

#include <filesystem>
#include <vector>

#include "experiment/matrix.h"
#include "experiment/spec.h"

namespace headroom::verbs {

/// Throws InputError naming the specification's line when it asks for a hard-pair validation and no run has
/// the DPO loss, which weighs pairs.
void require_weighed_pairs(const experiment::Spec& spec, const std::vector<experiment::Cell>& cells);

/// Writes hard_pair_validation.json into the folder of every finished run with the DPO loss, of the energies
/// in its detailed_predictions.csv, where the specification asks for it.
void validate_hard_pairs(const experiment::Spec& spec, const std::vector<experiment::CellOutcome>& outcomes,
                         const std::filesystem::path& folder);

}  // namespace headroom::verbs
