#pragma once

#include <cstdint>

#include <c10/core/Device.h>

#include "core/error.h"
#include "torch/cuda/launch_steps.h"

#if defined(HEADROOM_CUDA_KERNELS)
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#endif

namespace headroom::torch {

/// Whether this build has kernels for GPUs: nvcc was there when it was made.
constexpr bool has_steps_of_gpus() {
#if defined(HEADROOM_CUDA_KERNELS)
  return true;
#else
  return false;
#endif
}

/// Does step(0) to step(count - 1) (cuda/launch_steps.h) on a device: in the current stream of a GPU, or one
/// after the other on the CPU. Throws Error where this build has no kernels for GPUs.
template <typename Step>
void run_steps(const Step& step, std::int64_t count, c10::Device device) {
  if (device.is_cpu()) {
    for (std::int64_t i = 0; i < count; ++i) {
      step(i);
    }
    return;
  }
#if defined(HEADROOM_CUDA_KERNELS)
  const c10::cuda::CUDAGuard guard(device);
  cuda::launch(step, count, c10::cuda::getCurrentCUDAStream(device.index()).stream());
#else
  throw Error("this build has no kernels for GPUs");
#endif
}

}  // namespace headroom::torch
