#pragma once

#include <string>

#include <ATen/ATen.h>

#include "base/io/tensors/tensor_data.h"

namespace molgauge::torch {

/// Copies a tensor to data that can be written to a file. Accepts float32 and uint8 tensors on any device.
io::TensorData to_file(const at::Tensor& tensor);

/// A copy on the CPU as float32 or uint8. Other number types become float32.
at::Tensor from_file(const io::TensorData& data);

/// Returns the tensor with this name and shape. `source` is the path of the file. If the tensor is missing or
/// has another shape, throws InputError that names `source` and the tensor.
at::Tensor take_tensor(const io::TensorMap& tensors, const std::string& name, at::IntArrayRef shape,
                       const std::string& source);

}  // namespace molgauge::torch
