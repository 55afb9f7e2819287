// `headroom memory plan`.

#include <variant>

#include "engine/verbs.h"
#include "memory/plan/planner.h"
#include "session/domain/domain_plan.h"
#include "session/encoding/encoding_phase.h"
#include "session/torch_part.h"

namespace headroom::verbs {
namespace {

std::vector<MemoryPlan> plan_verb(const EncodeRequest& request) {
  session::MemorySession memory(request.compute, Device{});
  const auto encoder = session::encoder_to_plan_with(request.encoder, request.weights, request.compute);
  return session::for_command(
      {session::plan_encoding_phase(*encoder,
                                    session::require_molecules(request.molecules, request.smiles_column),
                                    memory, request.compute, request.batch_atoms)},
      memory);
}

std::vector<MemoryPlan> plan_verb(const DomainRequest& request) { return session::plan_domain(request); }

/// Plans a verb that trains.
template <typename Request>
std::vector<MemoryPlan> plan_verb(const Request& request) {
  return session::torch_part().plan_memory(request);
}

}  // namespace

std::vector<MemoryPlan> plan_memory(const PlanMemoryRequest& request) {
  std::vector<MemoryPlan> plans = std::visit([](const auto& work) { return plan_verb(work); }, request.work);
  for (MemoryPlan& plan : plans) {
    memory::print_plan(plan);
  }
  return plans;
}

}  // namespace headroom::verbs
