#include "molecules/encoders/chemprop/network.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "base/numerics/ops/array.h"
#include "base/numerics/ops/cpu/instruction_level.h"
#include "molecules/encoders/chemprop/model.h"

namespace molgauge::encoders::chemprop {
namespace {

/// log(1 + exp(x)) like torch.nn.functional.softplus, which is linear above 20.
float softplus(float x) {
  constexpr float kLinear = 20;
  return x > kLinear ? x : std::log1p(std::exp(x));
}

float sigmoid(float x) { return 1.0F / (1.0F + std::exp(-x)); }

void softmax(float* numbers, std::size_t count) {
  const float largest = *std::max_element(numbers, numbers + count);
  float sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = std::exp(numbers[i] - largest);
    sum += numbers[i];
  }
  std::for_each(numbers, numbers + count, [sum](float& number) { number /= sum; });
}

/// alpha / sum(alpha) with alpha = softplus(x) + 1. Returns the sum.
float dirichlet(float* numbers, std::size_t count) {
  float sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    numbers[i] = softplus(numbers[i]) + 1;
    sum += numbers[i];
  }
  std::for_each(numbers, numbers + count, [sum](float& number) { number /= sum; });
  return sum;
}

bool has_classes_side_by_side(HeadKind kind) {
  return kind == HeadKind::binary_dirichlet || kind == HeadKind::multiclass ||
         kind == HeadKind::multiclass_dirichlet;
}

/// Finishes one task of one molecule in place.
void finish_task(const Head& head, std::size_t task, float* numbers) {
  const float scale = head.scale.empty() ? 1.0F : head.scale[task];
  const float mean = head.mean.empty() ? 0.0F : head.mean[task];
  switch (head.kind) {
    case HeadKind::regression:
      numbers[0] = numbers[0] * scale + mean;
      return;
    case HeadKind::mean_variance:
      numbers[0] = numbers[0] * scale + mean;
      numbers[1] = softplus(numbers[1]) * (scale * scale);
      return;
    case HeadKind::evidential:
      numbers[0] = numbers[0] * scale + mean;
      numbers[1] = softplus(numbers[1]);
      numbers[2] = softplus(numbers[2]) + 1;
      numbers[3] = softplus(numbers[3]) * (scale * scale);
      return;
    case HeadKind::quantile: {
      const float lower = numbers[0] * scale + mean, upper = numbers[1] * scale + mean;
      numbers[0] = (lower + upper) / 2;
      numbers[1] = upper - lower;
      return;
    }
    case HeadKind::binary:
      numbers[0] = sigmoid(numbers[0]);
      return;
    case HeadKind::binary_dirichlet: {
      const float sum = dirichlet(numbers, 2);
      numbers[0] = numbers[1];
      numbers[1] = 2 / sum;
      return;
    }
    case HeadKind::multiclass:
      softmax(numbers, head.classes);
      return;
    case HeadKind::multiclass_dirichlet:
      dirichlet(numbers, head.classes);
      return;
  }
}

/// Turns the outputs of the last layer into predictions, as HeadKind describes them. Outputs and predictions
/// are [molecules, tasks * targets]. In the predictions, the columns of a task are adjacent. If the head
/// predicts classes, they are adjacent in the outputs as well. The outputs of other heads have one block for
/// each target, and each block contains all tasks.
void apply_head(const Head& head, const ops::Floats& outputs, ops::Floats& predictions) {
  const std::size_t targets = head.targets(), width = head.tasks * targets;
  const bool side_by_side = has_classes_side_by_side(head.kind);
  for (std::int64_t molecule = 0; molecule < outputs.size(0); ++molecule) {
    const float* const from = outputs.data() + molecule * outputs.size(1);
    float* const to = predictions.data() + static_cast<std::size_t>(molecule) * width;
    for (std::size_t task = 0; task < head.tasks; ++task) {
      for (std::size_t target = 0; target < targets; ++target) {
        to[task * targets + target] =
            from[side_by_side ? task * targets + target : target * head.tasks + task];
      }
      finish_task(head, task, to + task * targets);
    }
  }
}

// Constants of SELU (Klambauer et al. 2017, arXiv:1706.02515).
constexpr float kSeluAlpha = 1.6732632423543772F, kSeluScale = 1.0507009873554805F;

template <typename Function>
void apply_to_each(std::span<float> numbers, const Function& function) {
  std::transform(numbers.begin(), numbers.end(), numbers.begin(), function);
}

/// Applies the activation to each number.
void activate(const ModelActivation& activation, std::span<float> numbers) {
  switch (activation.kind) {
    case ActivationKind::relu:
      ops::cpu::loops().leaky_relu(numbers.size(), 0, numbers.data());
      return;
    case ActivationKind::leaky_relu:
    case ActivationKind::prelu:
      ops::cpu::loops().leaky_relu(numbers.size(), activation.slope, numbers.data());
      return;
    case ActivationKind::tanh:
      apply_to_each(numbers, [](float number) { return std::tanh(number); });
      return;
    case ActivationKind::elu:
      apply_to_each(numbers, [alpha = activation.slope](float number) {
        return number > 0 ? number : alpha * std::expm1(number);
      });
      return;
    case ActivationKind::selu:
      apply_to_each(numbers, [](float number) {
        return kSeluScale * (number > 0 ? number : kSeluAlpha * std::expm1(number));
      });
      return;
  }
}

using ops::Floats;

/// Columns `begin` to `end - 1` of a matrix times a factor.
Floats columns_of(const Floats& matrix, std::int64_t begin, std::int64_t end, float factor = 1) {
  Floats columns({matrix.size(0), end - begin});
  for (std::int64_t row = 0; row < matrix.size(0); ++row) {
    const float* const from = matrix.data() + row * matrix.size(1);
    std::transform(from + begin, from + end, columns.data() + row * columns.size(1),
                   [factor](float number) { return factor * number; });
  }
  return columns;
}

Floats added(const Floats& one, const Floats& other) {
  Floats sum(one.shape());
  std::transform(one.data(), one.data() + one.count(), other.data(), sum.data(), std::plus<>());
  return sum;
}

Floats side_by_side(const Floats& one, const Floats& other) {
  Floats joined({one.size(0), one.size(1) + other.size(1)});
  for (std::int64_t row = 0; row < one.size(0); ++row) {
    float* const to = joined.data() + row * joined.size(1);
    std::copy_n(one.data() + row * one.size(1), one.size(1), to);
    std::copy_n(other.data() + row * other.size(1), other.size(1), to + one.size(1));
  }
  return joined;
}

ops::Dense dense(Floats weight, Floats bias) {
  return {ops::Linear{.weight = std::move(weight), .bias = std::move(bias)}, ops::Activation::none};
}

}  // namespace

Network::Network(const Model& model)
    : form_(model.form),
      message_activation_(model.message_activation),
      head_activation_(model.head_activation),
      input_(dense(model.input.weight, model.input.bias)),
      pooling_(model.pooling),
      norm_(model.norm),
      bn_scale_(model.bn_scale),
      bn_shift_(model.bn_shift),
      head_(model.head),
      descriptors_(model.descriptors) {
  const std::int64_t hidden = model.hidden, message = model.message.weight.size(1);
  const Floats zeros = Floats::zeros({hidden});
  // The average of two directions is half of their sum.
  const float factor = form_.undirected ? 0.5F : 1.0F;
  message_ = dense(columns_of(model.message.weight, 0, hidden, factor),
                   form_.atom_messages ? zeros : model.message.bias);
  if (form_.atom_messages) {
    step_base_ = dense(side_by_side(model.input.weight, columns_of(model.message.weight, hidden, message)),
                       added(model.input.bias, model.message.bias));
  }
  const std::int64_t features = model.output.weight.size(1) - hidden;
  readout_base_ = dense(columns_of(model.output.weight, 0, features), model.output.bias);
  readout_ = dense(columns_of(model.output.weight, features, features + hidden), zeros);
  for (const ops::Linear& layer : model.layers) {
    layers_.push_back(dense(layer.weight, layer.bias));
  }
}

Floats Network::step(const Floats& states, const Step& step, const Floats& base,
                     const ops::Dense& layer) const {
  const ops::cpu::Layer& packed = layer.packed();
  const ops::cpu::SelectedSums sums{states.data(), step.sums.first.data(), step.sums.source.data(),
                                    states.width()};
  Floats result({step.sums.count(), packed.out});
  ops::for_row_blocks(step.sums.count(), [&](std::int64_t first, std::int64_t rows) {
    ops::cpu::DenseScratch& scratch = ops::cpu::dense_scratch(std::max(packed.in, packed.out));
    float* const to = result.data() + first * packed.out;
    for (std::int64_t row = 0; row < rows; ++row) {
      std::copy_n(base.data() + step.base.data()[first + row] * packed.out, packed.out,
                  to + row * packed.out);
    }
    ops::cpu::loops().sum_selected(sums, first, first + rows, scratch.gathered());
    ops::cpu::kernels().dense(packed, scratch.gathered(), rows, scratch.rounded(), scratch.product(),
                              /*add=*/true, to);
    activate(message_activation_, {to, static_cast<std::size_t>(rows * packed.out)});
  });
  return result;
}

Floats Network::fingerprints(const Plan& plan) const {
  Floats base = input_(plan.initial);
  Floats states(base.shape());
  std::copy_n(base.data(), base.count(), states.data());
  activate(message_activation_, states.numbers());
  if (form_.atom_messages) {
    base = step_base_(plan.step_inputs);
  }
  for (const Step& next : plan.steps) {
    states = step(states, next, base, message_);
  }
  base = readout_base_(plan.atoms);
  states = step(states, plan.readout, base, readout_);
  return pool(states, plan);
}

Floats Network::pool(const Floats& states, const Plan& plan) const {
  const std::int64_t width = states.width();
  Floats pooled({plan.molecules.count(), width});
  std::vector<double> sums(static_cast<std::size_t>(width));
  for (std::int64_t molecule = 0; molecule < pooled.size(0); ++molecule) {
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::int64_t i = plan.molecules.first.data()[molecule];
         i < plan.molecules.first.data()[molecule + 1]; ++i) {
      ops::cpu::loops().add_to_doubles(sums.size(), states.data() + plan.molecules.source.data()[i] * width,
                                       sums.data());
    }
    const float divisor = pooling_ == Pooling::mean   ? plan.sizes.data()[molecule]
                          : pooling_ == Pooling::norm ? norm_
                                                      : 1.0F;
    float* const row = pooled.data() + molecule * width;
    for (std::size_t column = 0; column < sums.size(); ++column) {
      row[column] = static_cast<float>(sums[column] / divisor);
      if (!bn_scale_.empty()) {
        row[column] = row[column] * bn_scale_[column] + bn_shift_[column];
      }
    }
  }
  return pooled;
}

Floats Network::predictions(Floats fingerprints) const {
  Floats x = std::move(fingerprints);
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    if (layer > 0) {
      activate(head_activation_, x.numbers());
    }
    x = layers_[layer](x);
  }
  Floats predictions(x.shape());
  apply_head(head_, x, predictions);
  return predictions;
}

}  // namespace molgauge::encoders::chemprop
