#pragma once

#include <c10/core/Device.h>

#include "base/memory/measure/allocation_meter.h"
#include "base/memory/trace/allocation_trace.h"

namespace molgauge::torch {

/// Returns the meter of the tensors of a GPU. It counts requested bytes and refused requests from the events
/// of the CUDA allocator of LibTorch. The meter itself does not refuse requests. limit_device_memory() sets
/// limits. Returns null for the CPU, or if this LibTorch reports no events (before 2.3, or without CUDA).
/// Tensors from before the first call are not counted.
memory::AllocationMeter* device_tensor_memory(c10::Device device);

/// Sets a trace that also receives the events of a GPU. If `trace` is null, events are no longer traced.
/// There is one trace at a time, which must outlive its use. Returns false if this LibTorch reports no
/// events.
bool trace_device_events(c10::Device device, allocator::AllocationTrace* trace);

}  // namespace molgauge::torch
