#pragma once

#include <cstddef>

namespace molgauge::train {

/// Scales the loss before the backward pass in float16, so that small gradients do not become 0. The factor
/// is a power of two. It is halved after an overflow and doubled after 2,000 steps without an overflow
/// (Micikevicius et al. 2018, arXiv:1710.03740, section 3.2).
struct LossScale {
  static constexpr double kFirst = 65536, kSmallest = 1.0 / 65536, kLargest = 16777216;
  static constexpr std::size_t kStepsToGrow = 2000;

  double factor = kFirst;
  std::size_t steps = 0;  ///< steps since the last change

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

}  // namespace molgauge::train
