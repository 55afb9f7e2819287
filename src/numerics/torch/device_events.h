#pragma once

#include <c10/core/Device.h>

#include "memory/allocator/recordings/allocation_trace.h"
#include "memory/measure/allocation_meter.h"

namespace headroom::torch {

/// The tensors of a GPU, counted from the events of LibTorch's CUDA allocator: requested bytes, and refused
/// requests. The meter refuses nothing itself: limits are set with limit_device_memory().
/// Null for the CPU, and where this LibTorch reports no events (before 2.3, or without CUDA). Tensors that
/// were made before the first call are not counted.
memory::AllocationMeter* device_tensor_memory(c10::Device device);

/// Sets a trace that also receives the events of one GPU. Null disables it. One trace at a time. False where
/// this LibTorch reports no events. The trace outlives its use.
bool trace_device_events(c10::Device device, allocator::AllocationTrace* trace);

}  // namespace headroom::torch
