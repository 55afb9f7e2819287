#pragma once

#include <vector>

#include <ATen/core/Tensor.h>

/// Copies from the host to a GPU that the thread does not wait for.
namespace headroom::torch {

/// A copy of a contiguous CPU tensor on a device, from pinned memory if the budget of the host has room for
/// it. On the CPU, and if the tensor is on a GPU already, the tensor itself.
at::Tensor moved(const at::Tensor& tensor, c10::Device device);

/// Replaces contiguous CPU tensors, of any types, by copies on a device, which share one array: there is one
/// copy for all. Undefined tensors stay undefined. No effect if the device is the CPU.
void move_together(const std::vector<at::Tensor*>& tensors, c10::Device device);

}  // namespace headroom::torch
