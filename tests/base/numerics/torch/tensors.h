#pragma once

#include <ATen/ATen.h>

#include "base/numerics/ops/array.h"
#include "base/numerics/torch/arrays.h"

namespace molgauge::test {

/// A copy of a float32 tensor in any layout.
inline ops::Floats floats_of(const at::Tensor& tensor) {
  ops::Floats copy(tensor.sizes().vec());
  torch::as_tensor(copy).copy_(tensor);
  return copy;
}

/// A copy of an int64 tensor.
inline ops::Integers integers_of(const at::Tensor& tensor) {
  ops::Integers copy(tensor.sizes().vec());
  torch::as_tensor(copy).copy_(tensor);
  return copy;
}

}  // namespace molgauge::test
