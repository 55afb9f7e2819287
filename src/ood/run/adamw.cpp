#include "ood/run/adamw.h"

#include <algorithm>
#include <cmath>

#include <c10/core/GradMode.h>

#include "ood/run/random_rounding.h"
#include "torch/tensor_files.h"

namespace headroom::ood {
namespace {

constexpr const char* kMean = "optimizer.exp_avg.";
constexpr const char* kSquareMean = "optimizer.exp_avg_sq.";

}  // namespace

/// The numbers of one step.
struct AdamW::Rates {
  double decay = 0;              ///< what a parameter is multiplied by
  double rate = 0;               ///< of the learning, the bias of the mean corrected
  double square_correction = 0;  ///< divides the root of the mean of squares
};

AdamW::AdamW(const EnergyHead& head, const AdamWOptions& options) : options_(options) {
  for (const auto& [name, value] : head.parameters()) {
    const auto moment = [&, numbers = value] {
      return at::zeros(numbers.sizes(), numbers.options().dtype(options.state).requires_grad(false));
    };
    slots_.push_back({name, value, moment(), moment()});
  }
}

void AdamW::step(double learning_rate) {
  const c10::NoGradGuard no_gradient;
  const auto number = static_cast<double>(steps_ + 1);
  const Rates rates{1.0 - learning_rate * options_.weight_decay,
                    learning_rate / (1.0 - std::pow(options_.beta1, number)),
                    std::sqrt(1.0 - std::pow(options_.beta2, number))};
  if (options_.state == at::kFloat) {
    step_in_place(rates);
  } else {
    step_rounded(rates);
  }
  ++steps_;
}

void AdamW::step_in_place(const Rates& rates) {
  // Operators that take a number make a tensor of it first, so these are made beforehand.
  const auto scalar = [](double number) { return at::full({}, number, at::kFloat); };
  const at::Tensor decay = scalar(rates.decay), beta1 = scalar(options_.beta1),
                   beta2 = scalar(options_.beta2), square_correction = scalar(rates.square_correction),
                   epsilon = scalar(options_.epsilon);
  std::int64_t largest = 0;
  for (const Slot& slot : slots_) {
    largest = std::max(largest, slot.parameter.numel());
  }
  const at::Tensor scratch = at::empty({largest}, slots_.front().mean.options());

  for (Slot& slot : slots_) {
    const at::Tensor gradient = slot.parameter.grad();
    slot.parameter.mul_(decay);
    slot.mean.mul_(beta1).add_(gradient, 1.0 - options_.beta1);
    slot.square_mean.mul_(beta2).addcmul_(gradient, gradient, 1.0 - options_.beta2);
    at::Tensor scale = scratch.narrow(0, 0, slot.parameter.numel()).view(slot.parameter.sizes());
    at::sqrt_out(scale, slot.square_mean).div_(square_correction).add_(epsilon);
    slot.parameter.addcdiv_(slot.mean, scale, -rates.rate);
  }
}

void AdamW::step_rounded(const Rates& rates) {
  struct Next {
    at::Tensor parameter, mean, square_mean;
  };
  std::vector<Next> next;
  auto key = 2 * slots_.size() * static_cast<std::uint64_t>(steps_);
  for (const Slot& slot : slots_) {
    const at::Tensor gradient = slot.parameter.grad();
    const at::Tensor mean =
        slot.mean.to(at::kFloat).mul_(options_.beta1).add_(gradient, 1.0 - options_.beta1);
    const at::Tensor square_mean = slot.square_mean.to(at::kFloat)
                                       .mul_(options_.beta2)
                                       .addcmul_(gradient, gradient, 1.0 - options_.beta2);
    const at::Tensor scale = square_mean.sqrt().div_(rates.square_correction).add_(options_.epsilon);
    const std::uint64_t mean_key = key++, square_key = key++;
    next.push_back({slot.parameter.mul(rates.decay).addcdiv_(mean, scale, -rates.rate),
                    round_at_random(mean, mean_key), round_at_random(square_mean, square_key)});
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].parameter.copy_(next[i].parameter);
    slots_[i].mean.copy_(next[i].mean);
    slots_[i].square_mean.copy_(next[i].square_mean);
  }
}

void AdamW::save(io::TensorMap& tensors) const {
  for (const Slot& slot : slots_) {
    tensors[kMean + slot.name] = torch::to_file(slot.mean.to(at::kFloat));
    tensors[kSquareMean + slot.name] = torch::to_file(slot.square_mean.to(at::kFloat));
  }
}

void AdamW::restore(const io::TensorMap& tensors, std::int64_t steps, const std::string& source) {
  for (Slot& slot : slots_) {
    slot.mean.copy_(torch::take_tensor(tensors, kMean + slot.name, slot.mean.sizes(), source));
    slot.square_mean.copy_(
        torch::take_tensor(tensors, kSquareMean + slot.name, slot.square_mean.sizes(), source));
  }
  steps_ = steps;
}

double clip_gradient_norm(const EnergyHead& head, double max_norm) {
  const c10::NoGradGuard no_gradient;
  double square = 0;
  for (const auto& [name, value] : head.parameters()) {
    // Row by row first: a sum over a whole tensor is split by the number of threads, a short one is not.
    square += value.grad().square().sum(-1, false, at::kDouble).sum().item<double>();
  }
  const double norm = std::sqrt(square);
  const double factor = max_norm / (norm + 1e-6);
  if (max_norm > 0 && factor < 1) {
    for (const auto& [name, value] : head.parameters()) {
      value.grad().mul_(factor);
    }
  }
  return norm;
}

}  // namespace headroom::ood
