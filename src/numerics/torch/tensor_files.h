#pragma once

#include <string>

#include <ATen/ATen.h>

#include "data/io/tensors/tensor_data.h"

namespace headroom::torch {

/// A copy for a file. Accepts float32 and uint8 tensors on any device.
io::TensorData to_file(const at::Tensor& tensor);

/// A copy on the CPU as float32 or uint8. Other number types become float32.
at::Tensor from_file(const io::TensorData& data);

/// The tensor of that name and shape. Throws InputError that names `source` and the tensor if it is missing
/// or has another shape. `source` is the path of the file, for messages.
at::Tensor take_tensor(const io::TensorMap& tensors, const std::string& name, at::IntArrayRef shape,
                       const std::string& source);

}  // namespace headroom::torch
