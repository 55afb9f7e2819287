#include "workloads/block_workload.h"

#include <c10/core/GradMode.h>

#include "base/numerics/torch/bfloat16_products.h"

namespace molgauge::workloads {
namespace {

using memory::AllocationTag;
using memory::Precision;
using memory::StepSettings;

/// The fixed cost of a step, in units of the cost of an item.
constexpr double kStepCost = 4;

/// Returns a number that depends on the complete state.
at::Tensor loss_of(const State& state) {
  at::Tensor loss = at::zeros({});
  for (const at::Tensor& tensor : state) {
    if (tensor.is_floating_point()) {
      loss = loss + tensor.to(at::kFloat).square().mean();
    }
  }
  return loss;
}

/// Returns a copy of the state whose floating-point tensors are leaves that collect gradients. Tensors of
/// indices are shared with the original.
State leaves_of(const State& state) {
  State leaves;
  for (const at::Tensor& tensor : state) {
    leaves.push_back(tensor.is_floating_point() ? tensor.detach().requires_grad_(true) : tensor);
  }
  return leaves;
}

/// Returns a scalar whose backward pass gives each output its gradient.
at::Tensor product_with_gradients(const State& outputs, const State& gradients) {
  at::Tensor root = at::zeros({});
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (gradients[i].defined()) {
      root = root + (outputs[i] * gradients[i]).sum(at::kFloat);
    }
  }
  return root;
}

}  // namespace

std::string BlockWorkload::name() const { return (training_ ? "train " : "encode with ") + kind_; }

std::vector<StepSettings> BlockWorkload::variants() const {
  std::vector<StepSettings> variants = {StepSettings{}};
  if (training_) {
    variants.push_back({.checkpointing = true});
  }
  for (std::size_t i = 0, count = variants.size(); i < count; ++i) {
    variants.push_back(variants[i]);
    variants.back().precision = Precision::bf16;
  }
  return variants;
}

std::vector<MemoryContribution> BlockWorkload::resident(const StepSettings&) const {
  std::uint64_t bytes = 0;
  for (const at::Tensor& parameter : parameters_) {
    bytes += parameter.nbytes();
  }
  if (!training_) {
    return {{"parameters", bytes}};
  }
  return {{"parameters", bytes}, {"optimizer state", 2 * bytes}, {"gradients", bytes}};
}

double BlockWorkload::relative_time(const memory::Cost& cost, const StepSettings& settings) const {
  // bf16 is slower on processors without bf16 arithmetic.
  const double bf16 = settings.precision == Precision::bf16 ? 2 : 1;
  return kStepCost + work(cost) * bf16 * (settings.checkpointing ? 4.0 / 3 : 1);
}

std::size_t BlockWorkload::add_parameter(at::IntArrayRef shape) {
  parameters_.push_back((at::rand(shape) - 0.5).div_(static_cast<double>(shape.back())));
  if (training_) {
    parameters_.back().requires_grad_(true);
    means_.push_back(at::zeros(shape));
    square_means_.push_back(at::zeros(shape));
  }
  return parameters_.size() - 1;
}

at::Tensor BlockWorkload::weight(std::size_t number) const { return parameters_[number].to(precision_); }

void BlockWorkload::run(std::span<const memory::ItemSize> batch, const StepSettings& settings,
                        memory::AllocationTagger& marks) {
  forget_gradients();
  accumulate(batch, settings, marks);
  if (settings.accumulating) {
    accumulate(batch, settings, marks);
  }
  marks.allocating(AllocationTag::workspace);
  optimise();
}

void BlockWorkload::accumulate(std::span<const memory::ItemSize> batch, const StepSettings& settings,
                               memory::AllocationTagger& marks) {
  precision_ = settings.precision == Precision::bf16 ? at::kBFloat16 : at::kFloat;
  if (precision_ == at::kBFloat16) {
    torch::prepare_bfloat16_products();
  }
  const c10::AutoGradMode gradients(training_);
  marks.allocating(AllocationTag::activations);
  if (settings.checkpointing) {
    checkpointed_pass(batch, marks);
  } else {
    pass(batch, marks);
  }
}

void BlockWorkload::pass(std::span<const memory::ItemSize> batch, memory::AllocationTagger& marks) {
  State state = inputs(batch);
  for (std::size_t i = 0; i < blocks_; ++i) {
    state = block(i, state);
  }
  const at::Tensor loss = loss_of(state);
  state.clear();
  if (training_) {
    marks.allocating(AllocationTag::gradients);
    loss.backward();
  }
}

void BlockWorkload::checkpointed_pass(std::span<const memory::ItemSize> batch,
                                      memory::AllocationTagger& marks) {
  std::vector<State> kept = {inputs(batch)};
  for (std::size_t i = 0; i < blocks_; ++i) {
    const c10::NoGradGuard no_gradient;
    kept.push_back(block(i, kept.back()));
  }
  marks.allocating(AllocationTag::gradients);
  State after = leaves_of(kept.back());
  loss_of(after).backward();
  for (std::size_t i = blocks_; i-- > 0;) {
    kept.pop_back();
    State gradients;
    for (const at::Tensor& tensor : after) {
      gradients.push_back(tensor.grad());
    }
    State before = leaves_of(kept.back());
    marks.allocating(AllocationTag::activations);
    const at::Tensor root = product_with_gradients(block(i, before), gradients);
    marks.allocating(AllocationTag::gradients);
    root.backward();
    after = std::move(before);
  }
}

void BlockWorkload::forget_gradients() {
  for (const at::Tensor& parameter : parameters_) {
    parameter.mutable_grad().reset();
  }
}

void BlockWorkload::optimise() {
  const c10::NoGradGuard no_gradient;
  for (std::size_t i = 0; i < means_.size(); ++i) {
    const at::Tensor& gradient = parameters_[i].grad();
    means_[i].mul_(0.9).add_(gradient, 0.1);
    square_means_[i].mul_(0.999).addcmul_(gradient, gradient, 0.001);
    parameters_[i].addcdiv_(means_[i], square_means_[i].sqrt().add_(1e-8), -1e-4);
  }
}

}  // namespace molgauge::workloads
