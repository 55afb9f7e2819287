#pragma once

#include <stdexcept>
#include <string>

#include <cuda_runtime.h>

#include "torch/cuda/launch_steps.h"

namespace headroom::torch::cuda {

template <typename Step>
__global__ void do_steps(Step step, std::int64_t count) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride) {
    step(i);
  }
}

template <typename Step>
void launch(const Step& step, std::int64_t count, void* stream) {
  constexpr int kThreads = 256;
  // Threads go on to further numbers.
  constexpr std::int64_t kMostBlocks = std::int64_t{1} << 20;
  if (count == 0) {
    return;
  }
  const std::int64_t needed = (count + kThreads - 1) / kThreads;
  const auto blocks = static_cast<unsigned>(needed < kMostBlocks ? needed : kMostBlocks);
  do_steps<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(step, count);
  if (const cudaError_t failure = cudaGetLastError(); failure != cudaSuccess) {
    throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(failure));
  }
}

}  // namespace headroom::torch::cuda
