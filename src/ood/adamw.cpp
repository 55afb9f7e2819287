#include "ood/adamw.h"

#include <cmath>

#include <c10/core/GradMode.h>

#include "ood/tensor_files.h"

namespace headroom::ood {
namespace {

constexpr const char* kMean = "optimizer.exp_avg.";
constexpr const char* kSquareMean = "optimizer.exp_avg_sq.";

}  // namespace

AdamW::AdamW(const EnergyHead& head, const AdamWOptions& options) : options_(options) {
  for (const auto& [name, value] : head.parameters()) {
    slots_.push_back({name, value, at::zeros_like(value), at::zeros_like(value)});
  }
}

void AdamW::step(double learning_rate) {
  const c10::NoGradGuard no_gradient;
  ++steps_;
  const double correction = 1.0 - std::pow(options_.beta1, steps_);
  const double square_correction = std::sqrt(1.0 - std::pow(options_.beta2, steps_));
  for (Slot& slot : slots_) {
    const at::Tensor gradient = slot.parameter.grad();
    slot.parameter.mul_(1.0 - learning_rate * options_.weight_decay);
    slot.mean.mul_(options_.beta1).add_(gradient, 1.0 - options_.beta1);
    slot.square_mean.mul_(options_.beta2).addcmul_(gradient, gradient, 1.0 - options_.beta2);
    const at::Tensor scale = slot.square_mean.sqrt().div_(square_correction).add_(options_.epsilon);
    slot.parameter.addcdiv_(slot.mean, scale, -learning_rate / correction);
  }
}

void AdamW::save(io::TensorMap& tensors) const {
  for (const Slot& slot : slots_) {
    tensors[kMean + slot.name] = to_file(slot.mean);
    tensors[kSquareMean + slot.name] = to_file(slot.square_mean);
  }
}

void AdamW::restore(const io::TensorMap& tensors, std::int64_t steps, const std::string& source) {
  for (Slot& slot : slots_) {
    slot.mean.copy_(take_tensor(tensors, kMean + slot.name, slot.mean.sizes(), source));
    slot.square_mean.copy_(take_tensor(tensors, kSquareMean + slot.name, slot.square_mean.sizes(), source));
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
