#pragma once

#include <cstdint>
#include <memory>

#include <c10/core/Device.h>

#include "base/memory/measure/device_probe.h"

namespace molgauge::torch {

/// Returns a probe that reads the statistics of the caching allocator of LibTorch for a GPU. Returns null for
/// the CPU.
std::unique_ptr<memory::DeviceProbe> device_probe(c10::Device device);

/// Returns the memory figures of the GPU driver. All figures are zero for the CPU, or if the driver does not
/// report them.
memory::DeviceSpace device_space(c10::Device device);

/// Limits the bytes that LibTorch reserves on a GPU. LibTorch stores the limit as a fraction of the memory,
/// which rounds the limit down by less than a KiB. Requests above the limit throw c10::OutOfMemoryError. Has
/// no effect on the CPU. cpu_tensor_memory() limits CPU tensors.
void limit_device_memory(c10::Device device, std::uint64_t bytes);

}  // namespace molgauge::torch
