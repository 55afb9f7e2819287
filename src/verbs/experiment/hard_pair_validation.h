#pragma once

#include <filesystem>
#include <vector>

#include "experiments/matrix/matrix.h"
#include "experiments/specification/spec.h"
#include "verbs/experiment/cell_kind.h"

namespace headroom::session {

/// Throws InputError naming the specification's line when it asks for a hard-pair validation and no run has
/// the DPO loss, which weighs pairs.
void require_weighed_pairs(const experiment::Spec& spec, const std::vector<matrix::Cell>& cells,
                           const CellKinds& kinds);

/// Writes hard_pair_validation.json into the folder of every finished run with the DPO loss, computed from
/// the energies in its detailed_predictions.csv, if the specification asks for it.
void validate_hard_pairs(const experiment::Spec& spec, const std::vector<matrix::CellOutcome>& outcomes,
                         const CellKinds& kinds, const std::filesystem::path& folder);

}  // namespace headroom::session
