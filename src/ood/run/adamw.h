#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <ATen/ATen.h>

#include "io/tensors/tensor_data.h"
#include "ood/head/energy_head.h"

namespace headroom::ood {

struct AdamWOptions {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  double weight_decay = 1e-5;
  at::ScalarType state = at::kFloat;  ///< of the moments: kFloat, kBFloat16
};

/// AdamW (Loshchilov and Hutter 2019, decoupled weight decay) over a head's parameters: with learning rate r
/// and gradient g, p <- (1 - r * decay) p, then p <- p - r * m / (sqrt(v) + epsilon), m and v the
/// bias-corrected running means of g and g^2.
///
/// Moments in bfloat16 take half the memory. They are computed in float32 and rounded at random, to the next
/// number above or below with the probability that keeps the mean: rounded to the nearest, v would stand
/// still, since beta2 takes off less than half of its last digit. The chance is a function of step and place.
class AdamW {
 public:
  /// Keeps the parameter tensors, not the head.
  AdamW(const EnergyHead& head, const AdamWOptions& options);

  /// Takes all memory it needs before it changes a number: nothing has changed if it throws for want of it.
  void step(double learning_rate);

  std::int64_t steps() const { return steps_; }
  /// "optimizer.exp_avg.NAME", "optimizer.exp_avg_sq.NAME", float32.
  void save(io::TensorMap& tensors) const;
  /// Throws InputError naming `source` when a tensor is missing or does not fit.
  void restore(const io::TensorMap& tensors, std::int64_t steps, const std::string& source);

 private:
  struct Slot {
    std::string name;
    at::Tensor parameter, mean, square_mean;
  };
  struct Rates;
  void step_in_place(const Rates& rates);
  void step_rounded(const Rates& rates);

  std::vector<Slot> slots_;
  AdamWOptions options_;
  std::int64_t steps_ = 0;
};

/// L2 norm over the gradients of all parameters; scales them by max_norm / (norm + 1e-6) when that is
/// below 1. Returns the norm before. max_norm <= 0: measures only. The sum does not depend on the number of
/// threads.
double clip_gradient_norm(const EnergyHead& head, double max_norm);

}  // namespace headroom::ood
