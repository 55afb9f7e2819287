#pragma once

#include <cstdint>
#include <memory>

#include <c10/core/Device.h>

#include "memory/measure/device_probe.h"

namespace headroom::torch {

/// What LibTorch's caching allocator says of a GPU; nothing for the CPU.
std::unique_ptr<memory::DeviceProbe> device_probe(c10::Device device);

/// What the driver of a GPU says; all zero for the CPU, and where the driver does not say.
memory::DeviceSpace device_space(c10::Device device);

/// Lets LibTorch reserve at most so many bytes of a GPU (a fraction of its memory, so that they are rounded
/// down by less than a KiB): what goes beyond throws c10::OutOfMemoryError. Nothing on the CPU, whose tensors
/// cpu_tensor_memory() limits.
void limit_device_memory(c10::Device device, std::uint64_t bytes);

}  // namespace headroom::torch
