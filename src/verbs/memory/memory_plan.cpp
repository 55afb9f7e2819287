// `headroom memory plan`.

#include <variant>

#include "core/error.h"
#include "encoding/session/encoding_phase.h"
#include "memory/plan/planner.h"
#include "runtime/torch_backend.h"
#include "verbs/domain/domain_plan.h"
#include "verbs/verbs.h"

namespace headroom::verbs {
namespace {

std::vector<MemoryPlan> plan_verb(const EncodeRequest& request,
                                  const std::optional<std::uint64_t>& capacity) {
  session::BudgetScope memory(request.compute, Device{});
  const auto encoder = session::encoder_to_plan_with(
      request.encoder, request.weights, request.compute, request.placement,
      {.atoms = !request.atom_features.empty(), .pairs = !request.pair_features.empty()});
  return session::with_total_budget(
      {session::plan_encoding_phase(*encoder,
                                    session::require_molecules(request.molecules, request.smiles_column),
                                    memory, request.compute, request.batch_atoms, {.capacity = capacity})},
      memory);
}

void refuse_capacity(const std::optional<std::uint64_t>& capacity) {
  if (capacity) {
    throw UsageError("--capacity: only the encoding is planned for a device; leave it out");
  }
}

std::vector<MemoryPlan> plan_verb(const DomainRequest& request,
                                  const std::optional<std::uint64_t>& capacity) {
  refuse_capacity(capacity);
  return session::plan_domain(request);
}

/// Plans a verb that trains.
template <typename Request>
std::vector<MemoryPlan> plan_verb(const Request& request, const std::optional<std::uint64_t>& capacity) {
  refuse_capacity(capacity);
  return session::torch_backend().plan_memory(request);
}

}  // namespace

std::vector<MemoryPlan> plan_memory(const PlanMemoryRequest& request) {
  std::vector<MemoryPlan> plans =
      std::visit([&](const auto& work) { return plan_verb(work, request.capacity_bytes); }, request.work);
  for (MemoryPlan& plan : plans) {
    memory::print_plan(plan);
  }
  return plans;
}

}  // namespace headroom::verbs
