#pragma once

#include <cstddef>
#include <new>
#include <string>

#include "memory/measure/allocation_meter.h"
#include "memory/measure/allocator_access.h"

namespace headroom::memory {

/// The memory of tensors on the CPU in this process: of plain arrays (numerics/ops/array.h) and, where
/// LibTorch is loaded, of its tensors (numerics/torch/cpu_tensor_memory.h). The meter counts allocations,
/// enforces its limit, and tells its observer. Bytes are requested bytes; each tensor costs 64 bytes more,
/// for its size. Thread-safe.
AllocationMeter& tensor_memory();

/// A tensor was refused because it would exceed the limit of the meter, or because the machine has no memory
/// left.
class OutOfTensorMemory final : public std::bad_alloc {
 public:
  explicit OutOfTensorMemory(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// For recovery of work on plain arrays.
inline AllocatorAccess tensor_access() {
  AllocatorAccess access;
  access.meter = &tensor_memory();
  return access;
}

/// Memory for a tensor of this many bytes, aligned to 64 bytes and not initialised; null for 0 bytes. Throws
/// OutOfTensorMemory.
void* obtain_tensor(std::size_t bytes);
/// Frees the memory that obtain_tensor() returned; null is ignored.
void release_tensor(void* tensor) noexcept;

}  // namespace headroom::memory
