#include "baselines/classifier_plan.h"

#include <algorithm>

#include "baselines/classifier_step.h"
#include "memory/planner.h"
#include "ops/cpu_tensor_memory.h"

namespace headroom::baselines {
namespace {

/// Adam's two moments, the best classifier, and one that is being kept in its place.
constexpr std::uint64_t kCopies = 4;

std::uint64_t parameter_bytes(const ClassifierShape& shape) {
  std::uint64_t numbers = 0;
  for (std::int64_t i = 0; i < shape.layers; ++i) {
    // Weights, bias, and what a normalised layer has for each output.
    numbers += static_cast<std::uint64_t>((shape.layer_inputs(i) + 5) * shape.layer_outputs(i));
  }
  return numbers * sizeof(float);
}

}  // namespace

MemoryPlan plan_classifier(const ClassifierOptions& options, const ClassifierSizes& sizes,
                           std::uint64_t budget_bytes, std::uint64_t outside_bytes) {
  const ClassifierShape shape{.inputs = static_cast<std::int64_t>(sizes.width),
                              .hidden = options.hidden,
                              .layers = options.layers,
                              .outputs = static_cast<std::int64_t>(sizes.outputs)};
  memory::PlanningRequest request;
  request.items.resize(sizes.training);
  request.items_name = "molecules";
  // A last row by itself joins the batch before it.
  request.effective_batch = std::min(options.batch_size + 1, sizes.training);
  request.budget_bytes = budget_bytes;
  request.outside_bytes = outside_bytes;
  ClassifierStep step(shape, sizes.feature_bytes + kCopies * parameter_bytes(shape),
                      static_cast<std::int64_t>(sizes.validation));
  return memory::plan_steps(step, ops::cpu_tensor_memory(), request).report;
}

}  // namespace headroom::baselines
