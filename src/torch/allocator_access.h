#pragma once

#include <c10/core/Device.h>

#include "memory/measure/allocator_access.h"

namespace headroom::torch {

/// What recovery has to know of the tensors of a device: their meter (cpu_tensor_memory.h,
/// device_events.h); of a GPU also that blocks are kept by LibTorch's caching allocator until they are given
/// back.
memory::AllocatorAccess allocator_access(c10::Device device);

}  // namespace headroom::torch
