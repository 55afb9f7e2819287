#include "baselines/classifier_step.h"

#include <algorithm>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "baselines/classifier_trainer.h"
#include "torch/cpu_tensor_memory.h"

namespace headroom::baselines {
namespace {

/// A step's fixed cost, in rows.
constexpr double kStepCostInRows = 10;

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
                         memory::StepMarks& marks) {
  const c10::NoGradGuard no_gradient;
  const auto rows = static_cast<std::int64_t>(batch.size());
  marks.allocating(memory::Contributor::activations);
  ClassifierPass pass(classifier_, rows);
  const at::Tensor features = at::full({rows, classifier_.shape().inputs}, 0.5);
  const at::Tensor slope = pass.forward(features, NormalizationMode::batch).mul(0.01);
  marks.allocating(memory::Contributor::gradients);
  pass.backward(features, slope, gradient_);
}

}  // namespace headroom::baselines
