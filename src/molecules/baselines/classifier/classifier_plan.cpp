#include "molecules/baselines/classifier/classifier_plan.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "base/memory/plan/planner.h"
#include "base/numerics/torch/cpu_tensor_memory.h"

namespace molgauge::baselines {
namespace {

/// The fixed cost of a step, expressed as the number of rows that take as long to compute.
constexpr double kStepCostInRows = 10;

/// Arrays of the size of the parameters: the two moments of Adam, the best classifier so far, and the copy
/// that replaces it.
constexpr std::uint64_t kCopies = 4;

std::uint64_t parameter_bytes(const ClassifierShape& shape) {
  constexpr double kMaxBytes = 1e17;
  double numbers = 0;
  for (std::int64_t i = 0; i < shape.layers && numbers < kMaxBytes; ++i) {
    // For each output: one weight for each input, the bias, and the four numbers of batch normalisation.
    numbers += (static_cast<double>(shape.layer_inputs(i)) + 5) * static_cast<double>(shape.layer_outputs(i));
  }
  return static_cast<std::uint64_t>(std::min(numbers * sizeof(float), kMaxBytes));
}

}  // namespace

ClassifierStep::ClassifierStep(const ClassifierShape& shape, std::uint64_t data_bytes,
                               std::int64_t validation_rows)
    : data_bytes_(data_bytes), classifier_(shape, 0), gradient_(shape) {
  gradient_.all.zero_();
  if (validation_rows > 0) {
    const memory::AllocationMeter& meter = torch::cpu_tensor_memory();
    const std::uint64_t before = meter.allocated_bytes();
    validation_.emplace(classifier_, std::min(validation_rows, kValidationRows));
    validation_bytes_ = meter.allocated_bytes() - before;
  }
}

std::vector<MemoryContribution> ClassifierStep::resident(const memory::StepSettings&) const {
  const std::uint64_t bytes = gradient_.all.nbytes();
  return {{"features", data_bytes_},
          {"validation", validation_bytes_},
          {"parameters", bytes},
          {"gradients", bytes}};
}

double ClassifierStep::relative_time(const memory::Cost& cost, const memory::StepSettings&) const {
  return kStepCostInRows + static_cast<double>(cost.items);
}

void ClassifierStep::run(std::span<const memory::ItemSize> batch, const memory::StepSettings&,
                         memory::AllocationTagger& marks) {
  const c10::NoGradGuard no_gradient;
  const auto rows = static_cast<std::int64_t>(batch.size());
  marks.allocating(memory::AllocationTag::activations);
  ClassifierPass pass(classifier_, rows);
  const at::Tensor features = at::full({rows, classifier_.shape().inputs}, 0.5);
  const at::Tensor slope = pass.forward(features, NormalizationMode::batch).mul(0.01);
  marks.allocating(memory::AllocationTag::gradients);
  pass.backward(features, slope, gradient_);
}

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

}  // namespace molgauge::baselines
