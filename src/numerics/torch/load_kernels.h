#pragma once

#include <c10/core/Device.h>

namespace headroom::torch {

/// Loads the kernels of Headroom into the memory of a GPU, once for each GPU. Otherwise CUDA would load a
/// kernel at its first launch, and the budget might then leave no memory for it. Only in builds with kernels.
/// Throws c10::OutOfMemoryError if a kernel does not fit. If a kernel cannot be loaded for another reason,
/// such as a GPU it was not compiled for, its launch fails later. Work that does not use the kernel is not
/// affected.
void load_kernels(c10::Device gpu);

}  // namespace headroom::torch
