#include "baselines/classifier_plan.h"

#include <algorithm>

#include "baselines/classifier_step.h"
#include "memory/plan/planner.h"
#include "torch/cpu_tensor_memory.h"

namespace headroom::baselines {
namespace {

/// Adam's two moments, the best classifier, and one that is being kept in its place.
constexpr std::uint64_t kCopies = 4;

std::uint64_t parameter_bytes(const ClassifierShape& shape) {
  constexpr double kMostBytes = 1e17;
  double numbers = 0;
  for (std::int64_t i = 0; i < shape.layers && numbers < kMostBytes; ++i) {
    // Weights, bias, and what a normalised layer has for each output.
    numbers += (static_cast<double>(shape.layer_inputs(i)) + 5) * static_cast<double>(shape.layer_outputs(i));
  }
  return static_cast<std::uint64_t>(std::min(numbers * sizeof(float), kMostBytes));
}

}  // namespace

MemoryPlan plan_classifier(const ClassifierOptions& options, const ClassifierSizes& sizes,
                           std::uint64_t budget_bytes, std::uint64_t outside_bytes) {
  const ClassifierShape shape{.inputs = static_cast<std::int64_t>(sizes.width),
                              .hidden = options.hidden,
                              .layers = options.layers,
                              .outputs = static_cast<std::int64_t>(sizes.outputs)};
  const std::uint64_t held = sizes.feature_bytes + kCopies * parameter_bytes(shape);
  memory::require_plannable("training a classifier", held + 2 * parameter_bytes(shape), budget_bytes);
  memory::PlanningRequest request;
  request.items.resize(sizes.training);
  request.items_name = "molecules";
  request.effective_batch = most_batch_rows(options, sizes.training);
  request.budget_bytes = budget_bytes;
  request.outside_bytes = outside_bytes;
  ClassifierStep step(shape, held, static_cast<std::int64_t>(sizes.validation));
  return memory::plan_steps(step, torch::cpu_tensor_memory(), request).report;
}

}  // namespace headroom::baselines
