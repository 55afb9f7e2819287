#include "engine/encoding_plan.h"

#include <algorithm>

#include "encoders/encoding_step.h"
#include "memory/planner.h"
#include "ops/cpu_tensor_memory.h"

namespace headroom::verbs {

MemoryPlan plan_encoding(const encoders::Encoder& encoder, const EncodingBudget& budget,
                         std::span<const memory::ItemSize> molecules) {
  encoders::EncodingStep step(encoder);
  const std::uint64_t parameters = std::min(encoder.parameter_bytes(), budget.tensor_bytes);
  memory::PlanningRequest request;
  request.items.assign(molecules.begin(), molecules.end());
  request.items_name = "molecules";
  request.budget_bytes = parameters + (budget.tensor_bytes - parameters) / budget.workers;
  request.outside_bytes = budget.outside_bytes;
  return memory::plan_steps(step, ops::cpu_tensor_memory(), request).report;
}

}  // namespace headroom::verbs
