#pragma once

#include <c10/core/Device.h>

namespace headroom::torch {

/// Loads our kernels into the memory of a GPU, once for each GPU. CUDA would otherwise load a kernel at its
/// first launch, when the budget may leave no memory. Only in builds with kernels. Throws
/// c10::OutOfMemoryError if a kernel does not fit. If a kernel cannot be loaded for another reason, such as a
/// GPU it was not compiled for, its launch fails later. Work that does not use the kernel is not affected.
void load_kernels(c10::Device gpu);

}  // namespace headroom::torch
