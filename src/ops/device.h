#pragma once

#include <string>

#include <c10/core/Device.h>

namespace headroom::ops {

/// Reads `--device`: "auto" (the first GPU, else the CPU), "cpu", "cuda" (the first GPU), "cuda:N".
/// Throws UsageError on any other text, Error when the GPU that is asked for is not here or LibTorch was
/// built without CUDA; both say what can be done.
c10::Device parse_device(const std::string& text);

/// Has LibTorch set up what it knows of GPUs and their memory, without which it answers no question about it;
/// nothing for the CPU.
void start_device(c10::Device device);

/// Has this GPU units for products in bfloat16 (compute capability 8 or higher)? False for the CPU.
bool multiplies_bf16(c10::Device device);

/// GPUs that LibTorch can use; 0 without CUDA.
std::size_t gpu_count();

}  // namespace headroom::ops
