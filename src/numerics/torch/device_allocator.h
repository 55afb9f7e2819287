#pragma once

#include <string>

#include <c10/core/Device.h>

namespace headroom::torch {

/// Gives LibTorch's CUDA caching allocator its settings ("expandable_segments:True,..."), for the whole
/// process; settings of the environment are replaced. Best before the first tensor is on the GPU: existing
/// segments stay as they are. Without effect for an empty text.
///
/// Throws UsageError, naming --cuda-allocator, when the device is no GPU, and when a setting is unknown, out
/// of range, or not known to this LibTorch.
void set_device_allocator(const std::string& settings, c10::Device device);

/// The settings in force, as PYTORCH_CUDA_ALLOC_CONF has them; empty: LibTorch's own.
std::string device_allocator_settings();

}  // namespace headroom::torch
