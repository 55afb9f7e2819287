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
  static constexpr int kMaxSlots = 80;

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

/// Sums the squares of several arrays, in float64. A tile sums up to kNumbers numbers of an array.
struct SquareSums {
  static constexpr int kMaxSlots = 160, kThreads = 256, kGroups = 16;
  static constexpr std::int64_t kNumbers = 64 * kThreads;

  struct Slot {
    const float* numbers;
    std::int64_t count;
    std::int64_t end;  ///< number of tiles of this slot and all slots before it
  };
  /// The sums of the threads, and of groups of threads.
  struct Shared {
    double threads[kThreads], groups[kGroups];
  };
  struct Own {};

  Slot slots[kMaxSlots];
  double* sums;  ///< one for each tile

  MOLGAUGE_EVERYWHERE int rounds(std::int64_t /*tile*/) const { return 2; }

  MOLGAUGE_EVERYWHERE void load(std::int64_t tile, int round, int thread, Shared& to) const {
    if (round == 1) {
      constexpr int kMembers = kThreads / kGroups;
      if (thread < kGroups) {
        to.groups[thread] = sum_of(to.threads + thread * kMembers, kMembers);
      }
      return;
    }
    int slot = 0;
    while (tile >= slots[slot].end) {
      ++slot;
    }
    const std::int64_t begin = (tile - (slot == 0 ? 0 : slots[slot - 1].end)) * kNumbers;
    const std::int64_t left = slots[slot].count - begin;
    double sum = 0;
    for (std::int64_t i = thread; i < kNumbers && i < left; i += kThreads) {
      const double number = slots[slot].numbers[begin + i];
      sum += number * number;
    }
    to.threads[thread] = sum;
  }
  MOLGAUGE_EVERYWHERE void compute(std::int64_t tile, int round, int thread, const Shared& from,
                                   Own& /*own*/) const {
    if (round == 1 && thread == 0) {
      sums[tile] = sum_of(from.groups, kGroups);
    }
  }
  MOLGAUGE_EVERYWHERE static double sum_of(const double* numbers, int count) {
    double sum = 0;
    for (int i = 0; i < count; ++i) {
      sum += numbers[i];
    }
    return sum;
  }
};

}  // namespace molgauge::torch::cuda
