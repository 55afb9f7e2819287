#pragma once

#include <c10/core/Device.h>

namespace molgauge::torch {

/// Loads the kernels of Molgauge into the memory of a GPU, once for each GPU. Otherwise CUDA would load a
/// kernel at its first launch, and the budget might then leave no memory for the kernel. Only in builds with
/// kernels. Throws c10::OutOfMemoryError if a kernel does not fit. If a kernel cannot be loaded for another
/// reason, its launch fails later. For example, it may not have been compiled for this GPU. Work that does
/// not use the kernel is not affected.
void load_kernels(c10::Device gpu);

}  // namespace molgauge::torch
