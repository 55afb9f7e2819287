#include "base/numerics/torch/cuda_errors.h"

#ifdef MOLGAUGE_WITH_CUDA
#include <c10/cuda/CUDAException.h>
#include <c10/util/Exception.h>
#include <cuda_runtime_api.h>

namespace molgauge::torch {

void require_success(int code) {
  if (code == cudaSuccess) {
    return;
  }
  if (code == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());  // clears the error, because the next call must not report it
                                            // again
    throw c10::OutOfMemoryError({__func__, __FILE__, __LINE__},
                                "CUDA error: out of memory while a kernel was loaded or started");
  }
  C10_CUDA_CHECK(static_cast<cudaError_t>(code));
}

}  // namespace molgauge::torch
#endif
