#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <typeinfo>
#include <vector>

#include <ATen/record_function.h>
#include <c10/core/Device.h>

#include "base/core/error.h"
#include "base/numerics/torch/cuda/launch_steps.h"
#include "base/numerics/torch/cuda/launch_tiles.h"
#include "base/numerics/torch/kernel_choice.h"

#if defined(MOLGAUGE_CUDA_KERNELS)
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "base/numerics/torch/cuda_errors.h"
#endif

namespace molgauge::torch {

/// Runs step(0) to step(count - 1) (cuda/launch_steps.h) on a device: in the current stream of a GPU, or
/// sequentially on the CPU. Throws Error in a build without GPU kernels, c10::OutOfMemoryError if a GPU lacks
/// the memory to start them, and c10::Error for other CUDA failures. Profilers of PyTorch see the call.
template <typename Step>
void run_kernel(const Step& step, std::int64_t count, c10::Device device) {
  RECORD_USER_SCOPE(typeid(Step).name());
  if (device.is_cpu()) {
    for (std::int64_t i = 0; i < count; ++i) {
      step(i);
    }
    return;
  }
#if defined(MOLGAUGE_CUDA_KERNELS)
  const c10::cuda::CUDAGuard own_device(device);
  require_success(cuda::launch(step, count, c10::cuda::getCurrentCUDAStream(device.index()).stream()));
#else
  throw Error("this build has no kernels for GPUs");
#endif
}

/// Runs tiles 0 to tiles - 1 (cuda/launch_tiles.h) on a device, like run_kernel() for steps. On the CPU, the
/// threads of a tile run one after the other in each round.
template <typename Work>
void run_tiles(const Work& work, std::int64_t tiles, c10::Device device) {
  RECORD_USER_SCOPE(typeid(Work).name());
  if (device.is_cpu()) {
    const auto shared = std::make_unique<typename Work::Shared>();
    std::vector<typename Work::Own> own(Work::kThreads);
    for (std::int64_t tile = 0; tile < tiles; ++tile) {
      std::fill(own.begin(), own.end(), typename Work::Own{});
      for (int round = 0; round < work.rounds(tile); ++round) {
        for (int thread = 0; thread < Work::kThreads; ++thread) {
          work.load(tile, round, thread, *shared);
        }
        for (int thread = 0; thread < Work::kThreads; ++thread) {
          work.compute(tile, round, thread, *shared, own[static_cast<std::size_t>(thread)]);
        }
      }
    }
    return;
  }
#if defined(MOLGAUGE_CUDA_KERNELS)
  const c10::cuda::CUDAGuard own_device(device);
  require_success(cuda::launch_tiles(work, tiles, c10::cuda::getCurrentCUDAStream(device.index()).stream()));
#else
  throw Error("this build has no kernels for GPUs");
#endif
}

}  // namespace molgauge::torch
