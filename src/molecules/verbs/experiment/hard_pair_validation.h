#pragma once

#include <filesystem>
#include <vector>

#include "molecules/experiments/matrix/matrix.h"
#include "molecules/experiments/specification/spec.h"
#include "molecules/verbs/experiment/cell_kind.h"

namespace molgauge::verbs {

/// Throws InputError with the line of the specification if it requests a hard-pair validation and no run has
/// the DPO loss.
void require_weighed_pairs(const experiment::Spec& spec, const std::vector<matrix::Cell>& cells,
                           const CellKinds& kinds);

/// Writes hard_pair_validation.json into the folder of every finished run with the DPO loss, if the
/// specification requests it. The values are computed from the energies in detailed_predictions.csv.
void validate_hard_pairs(const experiment::Spec& spec, const std::vector<matrix::CellOutcome>& outcomes,
                         const CellKinds& kinds, const std::filesystem::path& folder);

}  // namespace molgauge::verbs
