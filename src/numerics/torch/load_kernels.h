#pragma once

#include <c10/core/Device.h>

namespace headroom::torch {

/// Loads our kernels into the memory of a GPU, once for each GPU. CUDA would load a kernel at its first
/// launch, when a budget may have left no memory. In builds with kernels alone. Throws c10::OutOfMemoryError
/// if a kernel does not fit. A kernel that cannot be loaded for another reason, such as a GPU it was not
/// compiled for, fails at its launch, which work without it does not reach.
void load_kernels(c10::Device gpu);

}  // namespace headroom::torch
