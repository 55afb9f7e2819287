#pragma once

#include <cuda_runtime.h>

#include "base/numerics/torch/cuda/launch_steps.h"
#include "base/numerics/torch/cuda/load_kernel.cuh"

namespace molgauge::torch::cuda {

template <typename Step>
__global__ void do_steps(Step step, std::int64_t count) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    step(i);
  }
}

template <typename Step>
int launch(const Step& step, std::int64_t count, void* stream) {
  constexpr int kThreads = 256;
  // The maximum number of blocks. If the steps would need more blocks, each thread executes several steps.
  constexpr std::int64_t kMaxBlocks = std::int64_t{1} << 20;
  if (count == 0) {
    return 0;
  }
  const std::int64_t needed = (count + kThreads - 1) / kThreads;
  const auto blocks = static_cast<unsigned>(needed < kMaxBlocks ? needed : kMaxBlocks);
  do_steps<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(step, count);
  return static_cast<int>(cudaGetLastError());
}

/// Loads the kernels of these steps. Returns the first error code of CUDA, 0 for success.
template <typename... Steps>
int load_steps() {
  int code = 0;
  (void)((code = load_kernel(do_steps<Steps>), code == 0) && ...);
  return code;
}

}  // namespace molgauge::torch::cuda
