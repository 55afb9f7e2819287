#pragma once

namespace headroom::torch {

/// Sets CUBLAS_WORKSPACE_CONFIG=:4096:8 in the environment of this process unless the variable is set. With a
/// workspace of fixed size, cuBLAS sums in a fixed order. Without the variable, LibTorch warns about each
/// matrix product. Call this function before CUDA starts, because cuBLAS reads the variable when it creates
/// its first handle. Thread-safe, as long as no other thread changes the environment. Later calls do nothing.
void prepare_cuda_environment();

}  // namespace headroom::torch
