#pragma once

#include <initializer_list>

#include <ATen/core/Tensor.h>

namespace headroom::ops {

/// Whether the kernels of ops/cpu can do the work on these tensors: float32, contiguous, on the CPU, and
/// nobody wants a gradient. What they cannot do, the reference compositions of ATen operators do.
bool cpu_kernels_apply(std::initializer_list<at::Tensor> tensors);

}  // namespace headroom::ops
