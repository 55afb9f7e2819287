#pragma once

#include <cstddef>

namespace headroom::train {

/// What a loss is multiplied by before the backward pass in float16, lest small gradients become 0: a power
/// of two, half as much after an overflow, twice as much after 2,000 steps without (Micikevicius et al. 2018,
/// arXiv:1710.03740, section 3.2).
struct LossScale {
  static constexpr double kFirst = 65536, kSmallest = 1.0 / 65536, kLargest = 16777216;
  static constexpr std::size_t kStepsToGrow = 2000;

  double factor = kFirst;
  std::size_t steps = 0;  ///< since it changed

  bool can_shrink() const { return factor > kSmallest; }
  void overflowed() {
    factor /= 2;
    steps = 0;
  }
  void stepped() {
    if (++steps == kStepsToGrow) {
      factor = factor < kLargest ? 2 * factor : factor;
      steps = 0;
    }
  }
};

}  // namespace headroom::train
