#pragma once

#include <exception>
#include <functional>

#include "memory/measure/allocation_meter.h"

namespace headroom::memory {

/// Whether an exception is std::bad_alloc.
bool is_bad_alloc(const std::exception_ptr& failure);

/// What recovery has to know of an allocator. Modules that know an allocator fill it in
/// (torch/allocator_access.h); by itself it knows the process's own memory. May be used from any thread.
struct AllocatorAccess {
  /// Does the exception say that memory ran out?
  std::function<bool(const std::exception_ptr&)> is_out_of_memory = is_bad_alloc;
  /// Gives back what the allocator keeps for later; empty where it keeps nothing.
  std::function<void()> release_cached = {};
  /// Counts what it hands out; null: not counted. Outlives its users.
  const AllocationMeter* meter = nullptr;
};

}  // namespace headroom::memory
