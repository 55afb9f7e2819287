#pragma once

#include <cstdint>
#include <memory>

#include <c10/core/Device.h>

#include "memory/measure/device_probe.h"

namespace headroom::torch {

/// Reads the figures of LibTorch's caching allocator for a GPU; null for the CPU.
std::unique_ptr<memory::DeviceProbe> device_probe(c10::Device device);

/// The figures of a GPU's driver; all zero for the CPU, and where the driver gives none.
memory::DeviceSpace device_space(c10::Device device);

/// Lets LibTorch reserve at most this many bytes of a GPU (a fraction of its memory, so that they are rounded
/// down by less than a KiB); a larger request throws c10::OutOfMemoryError. No effect on the CPU, whose
/// tensors cpu_tensor_memory() limits.
void limit_device_memory(c10::Device device, std::uint64_t bytes);

}  // namespace headroom::torch
