#pragma once

#include <cmath>
#include <cstdint>

#include "base/numerics/ops/everywhere.h"

namespace molgauge::torch::cuda {

/// A parameter of AdamW as contiguous arrays, and the factors of this step.
struct AdamWSlot {
  float* value;
  const float* gradient;
  float *mean, *square_mean;
  std::int64_t end;  ///< number of elements of this slot and all slots before it
  /// For the weight decay, the value is multiplied by `decay`. `rate` is the learning rate, including the
  /// bias correction of the mean.
  float decay, rate;
};

/// The update of AdamW (base/train/adamw.h) for several parameters, as GPU steps (launch_steps.h). A step
/// updates one number. The slots are an argument of the kernel. The arguments of a kernel can take at most 4
/// KiB.
struct AdamWUpdate {
  static constexpr int kMaxSlots = 48;

  AdamWSlot slots[kMaxSlots];
  int count;
  float beta1, beta2, epsilon;
  float square_correction;  ///< divisor of the root of square_mean

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    int low = 0, high = count - 1;
    while (low < high) {
      const int middle = (low + high) / 2;
      if (i < slots[middle].end) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    const AdamWSlot& slot = slots[low];
    const std::int64_t place = i - (low == 0 ? 0 : slots[low - 1].end);
    const float gradient = slot.gradient[place];
    const float mean = slot.mean[place] * beta1 + (1 - beta1) * gradient;
    const float square = slot.square_mean[place] * beta2 + (1 - beta2) * gradient * gradient;
    const float scale = sqrtf(square) / square_correction + epsilon;
    slot.mean[place] = mean;
    slot.square_mean[place] = square;
    slot.value[place] = slot.value[place] * slot.decay - slot.rate * mean / scale;
  }
};

}  // namespace molgauge::torch::cuda
