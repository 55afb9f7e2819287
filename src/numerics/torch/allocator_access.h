#pragma once

#include <c10/core/Device.h>

#include "memory/measure/allocator_access.h"

namespace headroom::torch {

/// The allocator of a device for recovery: the meter of its tensors (cpu_tensor_memory.h,
/// device_events.h); for a GPU also the release of the blocks that LibTorch's caching allocator
/// keeps.
memory::AllocatorAccess allocator_access(c10::Device device);

}  // namespace headroom::torch
