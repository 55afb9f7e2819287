#include "base/numerics/torch/device_trace.h"

#include "base/core/error.h"
#include "base/numerics/torch/device_events.h"

namespace molgauge::torch {

DeviceTrace::DeviceTrace(c10::Device device, allocator::AllocationTrace& trace) : device_(device) {
  if (!trace_device_events(device_, &trace)) {
    throw UsageError("--memory-trace on " + device_.str() +
                     ": this LibTorch cannot report its allocations. Build against LibTorch 2.3 or newer "
                     "with CUDA, or trace on --device cpu");
  }
}

DeviceTrace::~DeviceTrace() { trace_device_events(device_, nullptr); }

}  // namespace molgauge::torch
