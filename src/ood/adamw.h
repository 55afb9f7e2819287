#pragma once

#include <cstdint>
#include <vector>

#include <ATen/ATen.h>

#include "io/tensor_data.h"
#include "ood/energy_head.h"

namespace headroom::ood {

struct AdamWOptions {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double weight_decay = 1e-5;
};

/// AdamW (Loshchilov and Hutter 2019, decoupled weight decay) over a head's parameters: with learning rate r
/// and gradient g, p <- (1 - r * decay) p, then p <- p - r * m / (sqrt(v) + epsilon), m and v the
/// bias-corrected running means of g and g^2.
class AdamW {
 public:
  /// Keeps the parameter tensors, not the head.
  AdamW(const EnergyHead& head, const AdamWOptions& options);

  void step(double learning_rate);

  std::int64_t steps() const { return steps_; }
  /// "optimizer.exp_avg.NAME", "optimizer.exp_avg_sq.NAME".
  void save(io::TensorMap& tensors) const;
  /// Throws InputError naming `source` when a tensor is missing or does not fit.
  void restore(const io::TensorMap& tensors, std::int64_t steps, const std::string& source);

 private:
  struct Slot {
    std::string name;
    at::Tensor parameter, mean, square_mean;
  };
  std::vector<Slot> slots_;
  AdamWOptions options_;
  std::int64_t steps_ = 0;
};

/// L2 norm over the gradients of all parameters; scales them by max_norm / (norm + 1e-6) when that is
/// below 1. Returns the norm before. max_norm <= 0: measures only. The sum does not depend on the number of
/// threads.
double clip_gradient_norm(const EnergyHead& head, double max_norm);

}  // namespace headroom::ood
