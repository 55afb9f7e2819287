#include "molecules/encoders/chemprop/activations.h"

#include <algorithm>
#include <cmath>

#include "base/numerics/ops/cpu/instruction_level.h"

namespace molgauge::encoders::chemprop {
namespace {

// Constants of SELU (Klambauer et al. 2017, arXiv:1706.02515).
constexpr float kSeluAlpha = 1.6732632423543772F, kSeluScale = 1.0507009873554805F;

template <typename Function>
void apply_to_each(std::span<float> numbers, const Function& function) {
  std::transform(numbers.begin(), numbers.end(), numbers.begin(), function);
}

}  // namespace

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

}  // namespace molgauge::encoders::chemprop
