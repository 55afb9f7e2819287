#pragma once

#include <initializer_list>

#include <ATen/core/Tensor.h>

namespace headroom::ops {

/// Whether the kernels of ops/cpu can do the work on these tensors: float32, contiguous, on the CPU, and
/// nobody wants a gradient. What they cannot do, the reference compositions of ATen operators do.
bool cpu_kernels_apply(std::initializer_list<at::Tensor> tensors);

/// While an object of this class lives, the thread that made it computes with the references alone: with the
/// tensors that a GPU would have, for plans of a GPU's memory.
class ReferenceKernels {
 public:
  ReferenceKernels();
  ~ReferenceKernels();
  ReferenceKernels(const ReferenceKernels&) = delete;
  ReferenceKernels& operator=(const ReferenceKernels&) = delete;

 private:
  bool former_;
};

}  // namespace headroom::ops
