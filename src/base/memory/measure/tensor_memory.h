#pragma once

#include <cstddef>
#include <new>
#include <string>

#include "base/memory/measure/allocation_meter.h"
#include "base/memory/measure/allocator_access.h"

namespace molgauge::memory {

/// Counts the memory of CPU tensors in this process: plain arrays (base/numerics/ops/array.h) and, if
/// LibTorch is loaded, its tensors (base/numerics/torch/cpu_tensor_memory.h). The meter enforces its limit
/// and informs its observer. Sizes are requested bytes. Each tensor takes 64 more bytes, which store its
/// size. Thread-safe.
AllocationMeter& tensor_memory();

/// Thrown if a tensor would exceed the limit of the meter, or if the machine has no memory left.
class OutOfTensorMemory final : public std::bad_alloc {
 public:
  explicit OutOfTensorMemory(std::string text) : text_(std::move(text)) {}
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// The allocator of plain arrays, for recovery.
inline AllocatorAccess tensor_access() {
  AllocatorAccess access;
  access.meter = &tensor_memory();
  return access;
}

/// Returns memory for a tensor of this many bytes, aligned to 64 bytes and not initialised. Returns null for
/// 0 bytes. Throws OutOfTensorMemory.
void* obtain_tensor(std::size_t bytes);
/// Frees memory from obtain_tensor(). Ignores null.
void release_tensor(void* tensor) noexcept;

}  // namespace molgauge::memory
