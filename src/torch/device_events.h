#pragma once

#include <c10/core/Device.h>

#include "allocator/recordings/allocation_trace.h"
#include "memory/measure/allocation_meter.h"

namespace headroom::torch {

/// The tensors of a GPU, counted from what LibTorch's CUDA allocator tells of its requests: bytes as they
/// were asked for, and those it refused. The meter has no say: limits are set with limit_device_memory().
/// Null for the CPU, and where this LibTorch cannot tell (before 2.3, or without CUDA). Tensors that were
/// made before the first call are not counted.
memory::AllocationMeter* device_tensor_memory(c10::Device device);

/// Where the events of one GPU are written besides, from now on; null: nowhere. One trace at a time. False
/// where this LibTorch cannot tell. The trace outlives its use.
bool trace_device_events(c10::Device device, allocator::AllocationTrace* trace);

}  // namespace headroom::torch
