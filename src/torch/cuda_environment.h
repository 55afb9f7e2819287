#pragma once

namespace headroom::torch {

/// Sets CUBLAS_WORKSPACE_CONFIG=:4096:8 in the environment of this process unless the variable is set. cuBLAS
/// adds up in one order only with a workspace of a fixed size, and reads the variable when its first handle
/// is made. LibTorch writes a warning for each matrix product without it. Called before the first call of
/// CUDA. Thread-safe, as long as no other thread changes the environment. Later calls have no effect.
void prepare_cuda_environment();

}  // namespace headroom::torch
