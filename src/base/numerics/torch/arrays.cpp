#include "base/numerics/torch/arrays.h"

#include <stdexcept>

#include <ATen/ATen.h>

#include "base/numerics/torch/torch_compatibility.h"
#include "base/numerics/torch/uploads.h"

namespace molgauge::torch {
namespace {

template <typename Number>
at::Tensor share(const ops::Array<Number>& array, at::ScalarType type) {
  ops::Array<Number> owner = array;
  Number* const numbers = owner.data();
  return at::from_blob(
      numbers, array.shape(), [owner](void*) {}, at::TensorOptions(type));
}

}  // namespace

at::Tensor as_tensor(const ops::Floats& array) { return share(array, at::kFloat); }
at::Tensor as_tensor(const ops::Integers& array) { return share(array, at::kLong); }

ops::Floats as_array(const at::Tensor& tensor) {
  if (!tensor.is_cpu() || tensor.scalar_type() != at::kFloat || !tensor.is_contiguous()) {
    throw std::invalid_argument("torch::as_array takes contiguous float32 tensors on the CPU");
  }
  // The const_cast is safe if callers only read the view. A const at::Tensor does not protect its numbers
  // from writes either.
  return ops::Floats::view(const_cast<float*>(read_numbers<float>(tensor)), tensor.sizes().vec());
}

at::Tensor on_device(const ops::Floats& array, c10::Device device) { return moved(as_tensor(array), device); }
at::Tensor on_device(const ops::Integers& array, c10::Device device) {
  return moved(as_tensor(array), device);
}

}  // namespace molgauge::torch
