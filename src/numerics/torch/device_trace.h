#pragma once

#include <c10/core/Device.h>

#include "memory/allocator/recordings/allocation_trace.h"

namespace headroom::torch {

/// While an object of this class lives, the events of LibTorch's CUDA allocator on one device are written to
/// a trace. One at a time.
class DeviceTrace {
 public:
  /// The trace outlives the object. Throws UsageError where the LibTorch this was compiled against cannot
  /// report events (before 2.3, or without CUDA).
  DeviceTrace(c10::Device device, allocator::AllocationTrace& trace);
  ~DeviceTrace();
  DeviceTrace(const DeviceTrace&) = delete;
  DeviceTrace& operator=(const DeviceTrace&) = delete;

 private:
  c10::Device device_;
};

}  // namespace headroom::torch
