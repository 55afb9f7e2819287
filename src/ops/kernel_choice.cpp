#include "ops/kernel_choice.h"

#include <algorithm>
#include <utility>

#include <c10/core/GradMode.h>

namespace headroom::ops {

namespace {

thread_local bool references_alone = false;

}  // namespace

ReferenceKernels::ReferenceKernels() : former_(std::exchange(references_alone, true)) {}
ReferenceKernels::~ReferenceKernels() { references_alone = former_; }

bool cpu_kernels_apply(std::initializer_list<at::Tensor> tensors) {
  return !references_alone && std::all_of(tensors.begin(), tensors.end(), [](const at::Tensor& tensor) {
    return tensor.is_cpu() && tensor.scalar_type() == at::kFloat && tensor.is_contiguous() &&
           !(c10::GradMode::is_enabled() && tensor.requires_grad());
  });
}

}  // namespace headroom::ops
