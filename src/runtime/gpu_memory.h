#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "memory/allocator/recordings/allocation_trace.h"
#include "memory/measure/allocator_access.h"
#include "memory/measure/device_probe.h"

namespace headroom::session {

/// The memory of one GPU, according to LibTorch's caching allocator and the driver.
class GpuMemory {
 public:
  virtual ~GpuMemory() = default;

  /// Reads the statistics of the allocator.
  virtual std::unique_ptr<memory::DeviceProbe> probe() const = 0;
  /// The statistics of the driver. All zero if the driver has none.
  virtual memory::DeviceSpace space() const = 0;
  virtual memory::AllocatorAccess access() const = 0;
  /// Gives the pinned memory of the host back that copies to the GPU kept for reuse.
  virtual void release_pinned() = 0;
  /// Lets the allocator reserve at most this many bytes.
  virtual void limit(std::uint64_t bytes) = 0;

  /// Sets the settings of the allocator. An empty text has no effect. Throws UsageError, naming
  /// --cuda-allocator, on unknown settings.
  virtual void set_allocator(const std::string& settings) = 0;
  virtual std::string allocator_settings() const = 0;

  /// Writes the allocator's events into a trace, which must outlive it, for as long as the result lives.
  /// Throws UsageError where this LibTorch cannot report events.
  virtual std::shared_ptr<void> trace(allocator::AllocationTrace& trace) = 0;
};

}  // namespace headroom::session
