#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "memory/measure/allocation_meter.h"

/// Page-locked ("pinned") memory of the host, from which a GPU copies while the thread goes on.
namespace headroom::torch {

/// An allocator of pinned memory, as LibTorch's is: it keeps freed blocks for reuse.
class PinnedBlocks {
 public:
  virtual ~PinnedBlocks() = default;
  /// A contiguous byte tensor [bytes] in pinned memory.
  virtual at::Tensor take(std::int64_t bytes) = 0;
  /// Bytes of all blocks, in use or kept.
  virtual std::uint64_t held_bytes() = 0;
  /// Gives the kept blocks back to the system.
  virtual void release_kept() = 0;
};

/// Counts pinned memory in a meter of host memory, and keeps to the limits of the meter. Kept blocks count
/// until they are released. LibTorch rounds blocks up to powers of two.
///
/// Thread safety: every function may be called from any thread.
class PinnedMemory {
 public:
  /// Both outlive the object.
  PinnedMemory(PinnedBlocks& blocks, memory::AllocationMeter& meter) : blocks_(blocks), meter_(meter) {}

  /// A contiguous byte tensor [bytes] in pinned memory. Undefined if the meter refuses the bytes even after
  /// the kept blocks are released: the caller then copies from ordinary memory.
  at::Tensor take(std::int64_t bytes);
  /// Gives kept blocks back to the system and takes their bytes off the meter.
  void release();

 private:
  void release_locked();
  bool admits(std::uint64_t bytes);

  PinnedBlocks& blocks_;
  memory::AllocationMeter& meter_;
  std::mutex mutex_;
  std::vector<std::pair<std::uintptr_t, std::uint64_t>> counted_;  ///< in the meter, by address
};

/// LibTorch's pinned memory, counted in memory::tensor_memory(). Null in builds without CUDA, and with a
/// LibTorch before 2.8, which does not tell how much it holds.
PinnedMemory* pinned_memory();

}  // namespace headroom::torch
