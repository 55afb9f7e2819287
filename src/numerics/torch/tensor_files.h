#pragma once

#include <string>

#include <ATen/ATen.h>

#include "data/io/tensors/tensor_data.h"

namespace headroom::torch {

/// A copy for a file; float32 and uint8, from any device.
io::TensorData to_file(const at::Tensor& tensor);

/// A copy on the CPU, float32 or uint8; other types of number become float32.
at::Tensor from_file(const io::TensorData& data);

/// The tensor of that name and shape; throws InputError naming `source` and the tensor when it is missing or
/// has another shape. `source`: the file's path, for the message.
at::Tensor take_tensor(const io::TensorMap& tensors, const std::string& name, at::IntArrayRef shape,
                       const std::string& source);

}  // namespace headroom::torch
