#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/memory/measure/allocator_access.h"
#include "base/memory/measure/device_probe.h"
#include "base/memory/trace/allocation_trace.h"

namespace molgauge::runtime {

/// The memory of a GPU according to the caching allocator of LibTorch and the driver.
class GpuMemory {
 public:
  virtual ~GpuMemory() = default;

  /// Reads the statistics of the allocator.
  virtual std::unique_ptr<memory::DeviceProbe> probe() const = 0;
  /// Returns the statistics of the driver. All values are zero if the driver provides no statistics.
  virtual memory::DeviceSpace space() const = 0;
  virtual memory::AllocatorAccess access() const = 0;
  /// Releases pinned host memory that LibTorch keeps for later copies to the GPU.
  virtual void release_pinned() = 0;
  /// Limits the bytes that the allocator may reserve.
  virtual void limit(std::uint64_t bytes) = 0;

  /// Sets the settings of the allocator. An empty text has no effect. Throws UsageError, which names
  /// --cuda-allocator, for unknown settings.
  virtual void set_allocator(const std::string& settings) = 0;
  virtual std::string allocator_settings() const = 0;

  /// Writes the events of the allocator into a trace while the returned object exists. The trace must outlive
  /// the returned object. Throws UsageError if this version of LibTorch cannot report events.
  virtual std::shared_ptr<void> trace(allocator::AllocationTrace& trace) = 0;
};

}  // namespace molgauge::runtime
