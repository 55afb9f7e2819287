#pragma once

namespace headroom::torch {

/// Throws if a call of CUDA failed. `code`: its cudaError_t, 0 for success. Memory that ran out is a
/// c10::OutOfMemoryError. is_out_of_memory() knows it, and recovery then tries smaller parts. Other
/// failures are c10::Error with CUDA's text. In builds with CUDA alone.
void require_success(int code);

}  // namespace headroom::torch
