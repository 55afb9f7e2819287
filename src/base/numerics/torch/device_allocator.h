#pragma once

#include <string>

#include <c10/core/Device.h>

namespace molgauge::torch {

/// Sets the configuration of the CUDA caching allocator of LibTorch ("expandable_segments:True,...") for the
/// whole process. Replaces the configuration from the environment. Call it before the first tensor is on the
/// GPU, because existing segments do not change. Has no effect if the text is empty.
///
/// Throws UsageError that names --cuda-allocator if the device is not a GPU, or if a setting is unknown, out
/// of range, or unsupported by this LibTorch.
void set_device_allocator(const std::string& settings, c10::Device device);

/// Returns the current configuration in the format of PYTORCH_CUDA_ALLOC_CONF, or an empty text if it is the
/// default.
std::string device_allocator_settings();

}  // namespace molgauge::torch
