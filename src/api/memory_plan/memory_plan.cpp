// `molgauge memory plan`.

#include <variant>

#include "api/registry.h"
#include "base/core/error.h"
#include "base/memory/plan/planner.h"
#include "base/runtime/verb_in_budget.h"

namespace molgauge::verbs {
namespace {

/// Implements `molgauge memory plan`.
std::vector<MemoryPlan> plan_memory(const PlanMemoryRequest& request) {
  if (request.capacity_bytes && !std::holds_alternative<EncodeRequest>(request.work)) {
    throw UsageError("--capacity: only the encoding is planned for a device. Leave it out");
  }
  std::vector<MemoryPlan> plans = std::visit(
      [&](const auto& work) { return find_verb(typeid(work)).plan(&work, request.capacity_bytes); },
      request.work);
  for (MemoryPlan& plan : plans) {
    memory::print_plan(plan);
  }
  return plans;
}

}  // namespace
}  // namespace molgauge::verbs

namespace molgauge {

template <>
verbs::Verb verbs::verb<PlanMemoryRequest>() {
  return row_without_json<PlanMemoryRequest>(
      "memory_plan", in_budget<PlanMemoryRequest>(without_caches<PlanMemoryRequest>(plan_memory)));
}

}  // namespace molgauge
