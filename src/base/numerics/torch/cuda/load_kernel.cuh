#pragma once

#include <cuda_runtime.h>

namespace molgauge::torch::cuda {

/// Loads a kernel into the memory of the current GPU by asking CUDA for its attributes. Returns the error
/// code of CUDA, 0 for success.
template <typename Kernel>
int load_kernel(Kernel* kernel) {
  cudaFuncAttributes attributes{};
  const cudaError_t code = cudaFuncGetAttributes(&attributes, kernel);
  if (code != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
  }
  return static_cast<int>(code);
}

}  // namespace molgauge::torch::cuda
