#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/memory/measure/allocation_meter.h"

/// Page-locked ("pinned") host memory, from which a GPU copies in the background.
namespace molgauge::torch {

/// An allocator of pinned memory. It keeps freed blocks for reuse, as the allocator of LibTorch does.
class PinnedBlocks {
 public:
  virtual ~PinnedBlocks() = default;
  /// A contiguous byte tensor [bytes] in pinned memory.
  virtual at::Tensor take(std::int64_t bytes) = 0;
  /// Bytes of all blocks, in use or cached.
  virtual std::uint64_t held_bytes() = 0;
  /// Releases cached blocks to the system.
  virtual void release_kept() = 0;
};

/// Counts pinned memory with a meter of host memory, and obeys the limits of the meter. Cached blocks count
/// until they are released. LibTorch rounds blocks up to powers of two.
///
/// Thread safety: every function may be called from any thread.
class PinnedMemory {
 public:
  /// `blocks` and `meter` must outlive the object.
  PinnedMemory(PinnedBlocks& blocks, memory::AllocationMeter& meter) : blocks_(blocks), meter_(meter) {}

  /// Returns a contiguous byte tensor [bytes] in pinned memory. If the meter refuses the bytes even after
  /// cached blocks are released, the tensor is undefined. The caller then copies from ordinary memory.
  at::Tensor take(std::int64_t bytes);
  /// Releases cached blocks to the system and subtracts their bytes from the meter.
  void release();

 private:
  void release_locked();
  bool admits(std::uint64_t bytes);

  PinnedBlocks& blocks_;
  memory::AllocationMeter& meter_;
  std::mutex mutex_;
  std::vector<std::pair<std::uintptr_t, std::uint64_t>> counted_;  ///< address and size of each block
};

/// The pinned memory of LibTorch, counted in memory::tensor_memory(). Null in builds without CUDA, and with
/// LibTorch before 2.8, which does not report the size of pinned memory.
PinnedMemory* pinned_memory();

}  // namespace molgauge::torch
