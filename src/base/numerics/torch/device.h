#pragma once

#include <string>

#include <c10/core/Device.h>

#include "base/core/device.h"

namespace molgauge::torch {

/// Converts a device to the type of LibTorch.
c10::Device to_c10(Device device);

/// Parses "cuda" (the first GPU) and "cuda:N". Throws UsageError for other text. Throws Error if the GPU is
/// missing or LibTorch was built without CUDA. The message tells the user how to fix the problem.
c10::Device parse_gpu(const std::string& text);

/// Returns the device with its index. LibTorch represents "cuda" without an index as index -1, which means
/// the current GPU of this thread. Functions in this folder that store data for each GPU call this function
/// first.
c10::Device indexed(c10::Device device);

/// Makes LibTorch initialise its GPUs and their memory. Before this call, LibTorch gives no information about
/// GPUs. Also loads the kernels of Molgauge. Later launches then need no memory for them. From now on,
/// warnings of LibTorch in the calling thread go to the log at level debug. Warns if CUBLAS_WORKSPACE_CONFIG
/// is set. With this variable, a linear layer of 28 x 336 takes 207 instead of 18 us on an H100. Has no
/// effect for the CPU.
void start_device(c10::Device device);

/// Returns true if the device is a GPU with units for products in bfloat16 (compute capability 8 or higher).
bool multiplies_bf16(c10::Device device);

/// Number of GPUs that LibTorch can use. 0 without CUDA.
std::size_t gpu_count();

}  // namespace molgauge::torch
