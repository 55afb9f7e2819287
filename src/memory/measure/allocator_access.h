#pragma once

#include <exception>
#include <functional>

#include "memory/measure/allocation_meter.h"

namespace headroom::memory {

/// Whether an exception is std::bad_alloc.
bool is_bad_alloc(const std::exception_ptr& failure);

/// What recovery needs from an allocator. Modules that know an allocator fill it in
/// (numerics/torch/allocator_access.h); the defaults are for the process's own memory. May be used from any
/// thread.
struct AllocatorAccess {
  /// Whether the exception means that memory ran out.
  std::function<bool(const std::exception_ptr&)> is_out_of_memory = is_bad_alloc;
  /// Releases the cache of the allocator. Empty if there is no cache.
  std::function<void()> release_cached = {};
  /// Counts the allocations; null: not counted. Outlives its users.
  const AllocationMeter* meter = nullptr;
};

}  // namespace headroom::memory
