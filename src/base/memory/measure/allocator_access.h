#pragma once

#include <exception>
#include <functional>

#include "base/memory/measure/allocation_meter.h"

namespace molgauge::memory {

/// Whether an exception is std::bad_alloc.
bool is_bad_alloc(const std::exception_ptr& failure);

/// The functions of an allocator that recovery needs. The code for each allocator provides them
/// (base/numerics/torch/allocator_access.h). The defaults are for the heap of the process. Thread-safe.
struct AllocatorAccess {
  /// Whether the exception reports that memory ran out.
  std::function<bool(const std::exception_ptr&)> is_out_of_memory = is_bad_alloc;
  /// Releases the cache of the allocator. Not set if the allocator has no cache.
  std::function<void()> release_cached = {};
  /// Counts the allocations. If null, they are not counted. The meter must outlive all users of this struct.
  const AllocationMeter* meter = nullptr;
};

}  // namespace molgauge::memory
