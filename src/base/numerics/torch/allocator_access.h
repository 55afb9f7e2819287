#pragma once

#include <c10/core/Device.h>

#include "base/memory/measure/allocator_access.h"

namespace molgauge::torch {

/// Access to the allocator of a device for recovery from out-of-memory errors. It contains the meter of the
/// tensors of the device (cpu_tensor_memory.h, device_events.h). On a GPU, it can also release cached blocks
/// of LibTorch.
memory::AllocatorAccess allocator_access(c10::Device device);

}  // namespace molgauge::torch
