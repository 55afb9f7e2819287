#include "torch/arrays.h"

#include <stdexcept>

#include <ATen/ATen.h>

#include "torch/torch_compatibility.h"

namespace headroom::torch {
namespace {

template <typename Number>
at::Tensor share(const ops::Array<Number>& array, at::ScalarType type) {
  ops::Array<Number> owner = array;
  Number* const numbers = owner.data();
  return at::from_blob(
      numbers, array.shape(), [owner](void*) {}, at::TensorOptions(type));
}

/// Copies from page-locked memory, which a GPU reads by itself: the thread does not wait for the copy.
at::Tensor move_to(c10::Device device, const at::Tensor& tensor) {
  return device.is_cuda() ? tensor.pin_memory().to(tensor.options().device(device), /*non_blocking=*/true)
                          : tensor;
}

}  // namespace

at::Tensor as_tensor(const ops::Floats& array) { return share(array, at::kFloat); }
at::Tensor as_tensor(const ops::Integers& array) { return share(array, at::kLong); }

ops::Floats as_array(const at::Tensor& tensor) {
  if (!tensor.is_cpu() || tensor.scalar_type() != at::kFloat || !tensor.is_contiguous()) {
    throw std::invalid_argument("torch::as_array takes contiguous float32 tensors on the CPU");
  }
  // The views are only read. at::Tensor is a handle, whose const does not protect the numbers either.
  return ops::Floats::view(const_cast<float*>(read_numbers<float>(tensor)), tensor.sizes().vec());
}

at::Tensor on_device(const ops::Floats& array, c10::Device device) {
  return move_to(device, as_tensor(array));
}
at::Tensor on_device(const ops::Integers& array, c10::Device device) {
  return move_to(device, as_tensor(array));
}

}  // namespace headroom::torch
