// The plan of `molgauge encode`.

#include "molecules/encoding/session/encoding_phase.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {

std::vector<MemoryPlan> plan_encode(const EncodeRequest& request,
                                    const std::optional<std::uint64_t>& capacity) {
  runtime::BudgetScope memory(request.compute, Device{});
  const auto encoder = session::encoder_to_plan_with(
      request.encoder, request.weights, request.compute, request.placement,
      {.atoms = !request.atom_features.empty(), .pairs = !request.pair_features.empty()});
  return session::with_total_budget(
      {session::plan_encoding_phase(*encoder,
                                    session::require_molecules(request.molecules, request.smiles_column),
                                    memory, request.compute, request.batch_atoms, {.capacity = capacity})},
      memory);
}

}  // namespace molgauge::verbs
