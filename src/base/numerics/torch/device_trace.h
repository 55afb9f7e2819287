#pragma once

#include <c10/core/Device.h>

#include "base/memory/trace/allocation_trace.h"

namespace molgauge::torch {

/// Writes the events of the CUDA allocator of LibTorch on one device into a trace during the lifetime of the
/// object. Create one object at a time.
class DeviceTrace {
 public:
  /// The trace must outlive the object. Throws UsageError if this LibTorch cannot report events (before 2.3,
  /// or without CUDA).
  DeviceTrace(c10::Device device, allocator::AllocationTrace& trace);
  ~DeviceTrace();
  DeviceTrace(const DeviceTrace&) = delete;
  DeviceTrace& operator=(const DeviceTrace&) = delete;

 private:
  c10::Device device_;
};

}  // namespace molgauge::torch
