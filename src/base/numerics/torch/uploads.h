#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

/// Copies from the host to a GPU in the background.
namespace molgauge::torch {

/// Copies a contiguous CPU tensor to a device, through pinned memory if the host budget has room for it.
/// Returns the tensor itself for the CPU, or if it is already on a GPU.
at::Tensor moved(const at::Tensor& tensor, c10::Device device);

/// Replaces contiguous CPU tensors of any types by copies on a device. The copies share one array, so there
/// is only one copy operation. Undefined tensors stay undefined. Has no effect for the CPU.
void move_together(const std::vector<at::Tensor*>& tensors, c10::Device device);

}  // namespace molgauge::torch
