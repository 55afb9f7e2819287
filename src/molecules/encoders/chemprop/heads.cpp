#include "molecules/encoders/chemprop/heads.h"

#include <algorithm>
#include <cmath>
#include <vector>

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

}  // namespace

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

}  // namespace molgauge::encoders::chemprop
