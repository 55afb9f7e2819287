#pragma once

#include <c10/core/Device.h>
#include <gtest/gtest.h>

#include "base/numerics/torch/device.h"

/// Skips the test with a message if LibTorch cannot use a GPU.
#define REQUIRE_GPU()                                    \
  if (molgauge::torch::gpu_count() == 0) {               \
    GTEST_SKIP() << "no GPU here that LibTorch can use"; \
  }                                                      \
  static_assert(true, "")

namespace molgauge::test {

inline const c10::Device kGpu(c10::kCUDA, 0);

}  // namespace molgauge::test
