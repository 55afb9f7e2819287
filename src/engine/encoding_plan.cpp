#include "engine/encoding_plan.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "encoders/encoding_step.h"
#include "memory/planner.h"
#include "ops/cpu_tensor_memory.h"

namespace headroom::verbs {
namespace {

/// Sizes that inputs have, from fragments to peptides; two bonds in ten close a ring.
constexpr std::uint64_t kUsualAtoms[] = {5, 12, 20, 25, 30, 40, 60, 100, 200};
constexpr std::size_t kOfEach = 400;

std::vector<memory::ItemSize> alike(std::uint64_t atoms) {
  return std::vector<memory::ItemSize>(kOfEach, {.atoms = atoms, .edges = atoms * 22 / 10});
}

memory::StepPlan plan(encoders::EncodingStep& step, const EncodingBudget& budget,
                      const encoders::Encoder& encoder, std::vector<memory::ItemSize> molecules) {
  const std::uint64_t parameters = std::min(encoder.parameter_bytes(), budget.tensor_bytes);
  memory::PlanningRequest request;
  request.items = std::move(molecules);
  request.items_name = "molecules";
  request.budget_bytes = parameters + (budget.tensor_bytes - parameters) / budget.workers;
  request.outside_bytes = budget.outside_bytes;
  return memory::plan_steps(step, ops::cpu_tensor_memory(), request);
}

}  // namespace

MemoryPlan plan_encoding(const encoders::Encoder& encoder, const EncodingBudget& budget,
                         std::span<const memory::ItemSize> molecules) {
  encoders::EncodingStep step(encoder);
  return plan(step, budget, encoder, {molecules.begin(), molecules.end()}).report;
}

std::size_t plan_batch_atoms(const encoders::Encoder& encoder, const EncodingBudget& budget) {
  if (!encoder.stand_in(1, 0)) {
    return 0;
  }
  encoders::EncodingStep step(encoder);
  std::vector<memory::ItemSize> molecules;
  for (const std::uint64_t atoms : kUsualAtoms) {
    const auto some = alike(atoms);
    molecules.insert(molecules.end(), some.begin(), some.end());
  }
  const memory::StepPlan planned = plan(step, budget, encoder, std::move(molecules));
  memory::require_fit(planned.report);
  std::size_t atoms = planned.report.alternatives[*planned.report.chosen].batch_atoms;
  for (const std::uint64_t size : kUsualAtoms) {
    const std::vector<memory::ItemSize> same = alike(size);
    const std::size_t together = planned.pack(same).front().size();
    if (together < same.size()) {
      atoms = std::min<std::size_t>(atoms, together * size);
    }
  }
  return atoms;
}

}  // namespace headroom::verbs
