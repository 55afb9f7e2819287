#include "numerics/torch/cuda_environment.h"

#include <cstdlib>

namespace headroom::torch {

void prepare_cuda_environment() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): once, before CUDA starts its threads
  [[maybe_unused]] static const int set = setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
}

}  // namespace headroom::torch
