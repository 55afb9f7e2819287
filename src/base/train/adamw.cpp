#include "base/train/adamw.h"

#include <algorithm>
#include <cmath>

#include <c10/core/GradMode.h>

#include "base/numerics/torch/kernel_choice.h"
#include "base/numerics/torch/optimizer_by_steps.h"
#include "base/numerics/torch/tensor_files.h"

namespace molgauge::train {
namespace {

// Odd 32-bit multipliers of a mixing function (Wellons, "lowbias32"). Products stay below 2^63.
constexpr std::int64_t kFirstMultiplier = 0x21f0aaad, kSecondMultiplier = 0x735a2d97;
constexpr std::int64_t kWord = 0xffffffff;
/// Mask of the bits that a float32 has and a bfloat16 does not have.
constexpr std::int64_t kDropped = 0xffff;

/// Returns random numbers: [count] in int64, each uniform in [0, 2^16).
at::Tensor noise(std::int64_t count, std::uint64_t key, at::Device device) {
  const auto start = static_cast<std::int64_t>(key * 0x9e3779b1U & 0x3fffffffU);
  at::Tensor word = at::arange(count, at::TensorOptions(at::kLong).device(device)).add_(start);
  const auto mix = [&](std::int64_t multiplier, std::int64_t shift) {
    word.bitwise_xor_(at::bitwise_right_shift(word, shift)).mul_(multiplier).bitwise_and_(kWord);
  };
  mix(kFirstMultiplier, 16);
  mix(kSecondMultiplier, 15);
  return at::bitwise_right_shift(word, 15).bitwise_and_(kDropped);
}

}  // namespace

/// The factors of one step. Each vector has one entry per parameter group.
struct AdamW::Rates {
  std::vector<double> decay;     ///< factor of the parameters for the weight decay
  std::vector<double> rate;      ///< learning rate, including the bias correction of the mean
  double square_correction = 0;  ///< bias correction: divides the root of the mean square
};

AdamW::AdamW(const Parameters& parameters, const AdamWOptions& options) : options_(options) {
  for (const ParameterGroup& group : parameters.groups()) {
    groups_.push_back(group.options);
    for (const Parameter& parameter : group.parameters) {
      const auto moment = [&] {
        return at::zeros(parameter.value.sizes(),
                         parameter.value.options().dtype(options.state).requires_grad(false));
      };
      if (!group.options.frozen) {
        slots_.push_back({parameter, moment(), moment(), groups_.size() - 1});
      }
    }
  }
  is_by_steps_ = options.state == at::kFloat && !slots_.empty() &&
                 torch::uses_kernels(slots_.front().mean.device()) &&
                 std::all_of(slots_.begin(), slots_.end(),
                             [](const Slot& slot) { return slot.parameter.value.is_contiguous(); });
}

AdamW::Rates AdamW::rates(const Clock& clock) const {
  const auto number = static_cast<double>(steps_ + 1);
  Rates rates;
  for (const GroupOptions& group : groups_) {
    const double rate = group.rate(clock);
    rates.decay.push_back(1.0 - rate * group.weight_decay);
    rates.rate.push_back(rate / (1.0 - std::pow(options_.beta1, number)));
  }
  rates.square_correction = std::sqrt(1.0 - std::pow(options_.beta2, number));
  return rates;
}

void AdamW::step(const Clock& clock) {
  const c10::NoGradGuard no_gradient;
  if (slots_.empty()) {
    ++steps_;
    return;
  }
  if (is_by_steps_) {
    step_by_steps(rates(clock));
  } else if (options_.state == at::kFloat) {
    step_in_place(rates(clock));
  } else {
    step_rounded(rates(clock));
  }
  ++steps_;
}

void AdamW::step_by_steps(const Rates& rates) {
  std::vector<torch::AdamWParameter> parameters;
  parameters.reserve(slots_.size());
  for (const Slot& slot : slots_) {
    parameters.push_back({.value = slot.parameter.value,
                          .gradient = slot.parameter.value.grad(),
                          .mean = slot.mean,
                          .square_mean = slot.square_mean,
                          .decay = rates.decay[slot.group],
                          .rate = rates.rate[slot.group]});
  }
  torch::adamw_by_steps(parameters, {.beta1 = options_.beta1,
                                     .beta2 = options_.beta2,
                                     .epsilon = options_.epsilon,
                                     .square_correction = rates.square_correction});
}

void AdamW::step_in_place(const Rates& rates) {
  // If a scalar is passed to an operator, ATen allocates a tensor for it, and this can fail. All such tensors
  // are therefore created here, before the step changes any parameter.
  const auto scalar = [](double number) { return at::full({}, number, at::kFloat); };
  std::vector<at::Tensor> decay;
  for (const double factor : rates.decay) {
    decay.push_back(scalar(factor));
  }
  const at::Tensor beta1 = scalar(options_.beta1), beta2 = scalar(options_.beta2),
                   square_correction = scalar(rates.square_correction), epsilon = scalar(options_.epsilon);
  std::int64_t largest = 0;
  for (const Slot& slot : slots_) {
    largest = std::max(largest, slot.parameter.value.numel());
  }
  const at::Tensor scratch = at::empty({largest}, slots_.front().mean.options());

  for (Slot& slot : slots_) {
    const at::Tensor& value = slot.parameter.value;
    const at::Tensor gradient = value.grad();
    value.mul_(decay[slot.group]);
    slot.mean.mul_(beta1).add_(gradient, 1.0 - options_.beta1);
    slot.square_mean.mul_(beta2).addcmul_(gradient, gradient, 1.0 - options_.beta2);
    at::Tensor scale = scratch.narrow(0, 0, value.numel()).view(value.sizes());
    at::sqrt_out(scale, slot.square_mean).div_(square_correction).add_(epsilon);
    value.addcdiv_(slot.mean, scale, -rates.rate[slot.group]);
  }
}

void AdamW::step_rounded(const Rates& rates) {
  struct Next {
    at::Tensor parameter, mean, square_mean;
  };
  std::vector<Next> next;
  auto key = 2 * slots_.size() * static_cast<std::uint64_t>(steps_);
  for (const Slot& slot : slots_) {
    const at::Tensor& value = slot.parameter.value;
    const at::Tensor gradient = value.grad();
    const at::Tensor mean =
        slot.mean.to(at::kFloat).mul_(options_.beta1).add_(gradient, 1.0 - options_.beta1);
    const at::Tensor square_mean = slot.square_mean.to(at::kFloat)
                                       .mul_(options_.beta2)
                                       .addcmul_(gradient, gradient, 1.0 - options_.beta2);
    const at::Tensor scale = square_mean.sqrt().div_(rates.square_correction).add_(options_.epsilon);
    const std::uint64_t mean_key = key++, square_key = key++;
    next.push_back({value.mul(rates.decay[slot.group]).addcdiv_(mean, scale, -rates.rate[slot.group]),
                    round_at_random(mean, mean_key), round_at_random(square_mean, square_key)});
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].parameter.value.copy_(next[i].parameter);
    slots_[i].mean.copy_(next[i].mean);
    slots_[i].square_mean.copy_(next[i].square_mean);
  }
}

std::uint64_t AdamW::state_bytes() const {
  std::uint64_t bytes = 0;
  for (const Slot& slot : slots_) {
    bytes += slot.mean.nbytes() + slot.square_mean.nbytes();
  }
  return bytes;
}

void AdamW::save(io::TensorMap& tensors) const {
  for (const Slot& slot : slots_) {
    tensors[kMeanPrefix + slot.parameter.name] = torch::to_file(slot.mean.to(at::kFloat));
    tensors[kSquareMeanPrefix + slot.parameter.name] = torch::to_file(slot.square_mean.to(at::kFloat));
  }
}

void AdamW::restore(const io::TensorMap& tensors, std::int64_t steps, const std::string& source) {
  for (Slot& slot : slots_) {
    const std::string& name = slot.parameter.name;
    slot.mean.copy_(torch::take_tensor(tensors, kMeanPrefix + name, slot.mean.sizes(), source));
    slot.square_mean.copy_(
        torch::take_tensor(tensors, kSquareMeanPrefix + name, slot.square_mean.sizes(), source));
  }
  steps_ = steps;
}

at::Tensor round_at_random(const at::Tensor& numbers, std::uint64_t key) {
  const at::Tensor bits = numbers.contiguous().view(at::kInt).flatten().to(at::kLong);
  const at::Tensor rounded =
      bits.add(noise(bits.numel(), key, bits.device())).bitwise_and_(~kDropped).to(at::kInt);
  const at::Tensor result = rounded.view(at::kFloat).view(numbers.sizes());
  // Infinity and NaN are copied, because they cannot be rounded.
  return at::where(at::isfinite(numbers), result, numbers).to(at::kBFloat16);
}

}  // namespace molgauge::train
