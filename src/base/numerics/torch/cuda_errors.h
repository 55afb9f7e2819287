#pragma once

namespace molgauge::torch {

/// Throws if a CUDA call failed. `code`: the cudaError_t of the call, or 0 for success. If memory ran out,
/// throws c10::OutOfMemoryError. is_out_of_memory() recognises this exception, and recovery then tries
/// smaller parts. For other failures, throws c10::Error with the error message of CUDA. Only in builds with
/// CUDA.
void require_success(int code);

}  // namespace molgauge::torch
