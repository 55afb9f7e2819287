#pragma once

#include <ATen/core/Tensor.h>

#include "base/numerics/ops/array.h"

/// Conversions between plain arrays and LibTorch tensors.
namespace molgauge::torch {

/// A CPU tensor that shares the data of the array and keeps it alive.
at::Tensor as_tensor(const ops::Floats& array);
at::Tensor as_tensor(const ops::Integers& array);

/// A view of a contiguous float32 tensor on the CPU. The tensor must outlive the view. Throws
/// std::invalid_argument for other tensors.
ops::Floats as_array(const at::Tensor& tensor);

/// Copies an array to a device. On the CPU, the tensor shares the data of the array. The copy to a GPU runs
/// in the background.
at::Tensor on_device(const ops::Floats& array, c10::Device device);
at::Tensor on_device(const ops::Integers& array, c10::Device device);

}  // namespace molgauge::torch
