#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ATen/ATen.h>

#include "base/train/optimizer.h"
#include "base/train/parameters.h"

namespace molgauge::train {

struct AdamWOptions {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  at::ScalarType state = at::kFloat;  ///< type of the moments: kFloat, kBFloat16
};

/// AdamW (Loshchilov and Hutter 2019, decoupled weight decay), on any device. On a GPU with float32 moments,
/// one kernel updates many parameters. With learning rate r and gradient g: p <- (1 - r * decay) p, then p <-
/// p - r * m / (sqrt(v) + epsilon). m and v are the bias-corrected running means of g and g^2.
///
/// Moments in bfloat16 take half the memory. They are computed in float32 and rounded stochastically to one
/// of the two adjacent bfloat16 numbers, with probabilities that preserve the expected value. Rounding to the
/// nearest number would leave v unchanged, because beta2 changes v by less than half of its last digit. The
/// random numbers depend only on the step and the index of the number.
class AdamW final : public Optimizer {
 public:
  /// The optimizer shares the tensors of the trained parameters.
  AdamW(const Parameters& parameters, const AdamWOptions& options);

  void step(const Clock& clock) override;
  std::int64_t steps() const { return steps_; }
  std::uint64_t state_bytes() const override;
  void save(io::TensorMap& tensors) const override;
  void restore(const io::TensorMap& tensors, std::int64_t steps, const std::string& source) override;

 private:
  struct Slot {
    Parameter parameter;
    at::Tensor mean, square_mean;
    std::size_t group;
  };
  struct Rates;
  Rates rates(const Clock& clock) const;
  void step_by_steps(const Rates& rates);
  void step_in_place(const Rates& rates);
  void step_rounded(const Rates& rates);

  std::vector<GroupOptions> groups_;
  std::vector<Slot> slots_;
  AdamWOptions options_;
  bool is_by_steps_ = false;
  std::int64_t steps_ = 0;
};

/// Rounds float32 numbers to bfloat16 stochastically. Each number becomes one of its two neighbours, with
/// probabilities that preserve the expected value. The random numbers depend only on `key` and the index of
/// the number.
at::Tensor round_at_random(const at::Tensor& numbers, std::uint64_t key);

}  // namespace molgauge::train
