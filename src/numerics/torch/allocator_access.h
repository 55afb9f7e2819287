#pragma once

#include <c10/core/Device.h>

#include "memory/measure/allocator_access.h"

namespace headroom::torch {

/// Access to the allocator of a device for recovery: the meter of its tensors (cpu_tensor_memory.h,
/// device_events.h) and, on a GPU, the release of cached blocks of LibTorch.
memory::AllocatorAccess allocator_access(c10::Device device);

}  // namespace headroom::torch
