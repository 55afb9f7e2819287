#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "allocator/recordings/allocation_trace.h"
#include "memory/measure/allocator_access.h"
#include "memory/measure/device_probe.h"

namespace headroom::session {

/// The memory of one GPU, as those know it who allocate there: LibTorch's caching allocator and the driver.
class GpuMemory {
 public:
  virtual ~GpuMemory() = default;

  /// What the allocator says.
  virtual std::unique_ptr<memory::DeviceProbe> probe() const = 0;
  /// What the driver says; all zero where it does not say.
  virtual memory::DeviceSpace space() const = 0;
  virtual memory::AllocatorAccess access() const = 0;
  /// Lets the allocator reserve at most so many bytes.
  virtual void limit(std::uint64_t bytes) = 0;

  /// Tells the allocator its settings; empty: nothing is done. Throws UsageError, naming --cuda-allocator, on
  /// settings that it does not know.
  virtual void set_allocator(const std::string& settings) = 0;
  virtual std::string allocator_settings() const = 0;

  /// Writes what the allocator does into a trace, which outlives it, for as long as the result lives. Throws
  /// UsageError where this LibTorch cannot tell.
  virtual std::shared_ptr<void> trace(allocator::AllocationTrace& trace) = 0;
};

}  // namespace headroom::session
