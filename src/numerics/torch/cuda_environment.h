#pragma once

namespace headroom::torch {

/// Sets CUBLAS_WORKSPACE_CONFIG=:4096:8 in the environment of this process unless the variable is set. With a
/// workspace of a fixed size, cuBLAS adds up in one order. Without the variable LibTorch warns of each matrix
/// product. cuBLAS reads it when it makes its first handle: call this function before CUDA starts.
/// Thread-safe, as long as no other thread changes the environment. Later calls do nothing.
void prepare_cuda_environment();

}  // namespace headroom::torch
