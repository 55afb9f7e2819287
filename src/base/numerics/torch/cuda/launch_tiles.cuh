#pragma once

#include <cuda_runtime.h>

#include "base/numerics/torch/cuda/launch_tiles.h"
#include "base/numerics/torch/cuda/load_kernel.cuh"

namespace molgauge::torch::cuda {

template <typename Work>
__global__ void __launch_bounds__(Work::kThreads) do_tile(Work work) {
  __shared__ typename Work::Shared shared;
  typename Work::Own own{};
  const std::int64_t tile = blockIdx.x;
  const int thread = static_cast<int>(threadIdx.x), rounds = work.rounds(tile);
  for (int round = 0; round < rounds; ++round) {
    work.load(tile, round, thread, shared);
    __syncthreads();
    work.compute(tile, round, thread, shared, own);
    __syncthreads();
  }
}

template <typename Work>
int launch_tiles(const Work& work, std::int64_t tiles, void* stream) {
  // The maximum grid size of CUDA.
  constexpr std::int64_t kMaxTiles = (std::int64_t{1} << 31) - 1;
  if (tiles == 0) {
    return 0;
  }
  if (tiles > kMaxTiles) {
    return static_cast<int>(cudaErrorInvalidConfiguration);
  }
  do_tile<<<static_cast<unsigned>(tiles), Work::kThreads, 0, static_cast<cudaStream_t>(stream)>>>(work);
  return static_cast<int>(cudaGetLastError());
}

/// Loads the kernels of this work. Returns the first error code of CUDA, 0 for success.
template <typename... Works>
int load_tiles() {
  int code = 0;
  (void)((code = load_kernel(do_tile<Works>), code == 0) && ...);
  return code;
}

}  // namespace molgauge::torch::cuda
