#include "base/numerics/torch/pinned_memory.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include <ATen/ATen.h>

#include "base/memory/measure/tensor_memory.h"
#include "base/numerics/torch/torch_compatibility.h"

#if defined(MOLGAUGE_WITH_CUDA) && MOLGAUGE_TELLS_PINNED_MEMORY
#include <ATen/core/CachingHostAllocator.h>
#endif

namespace molgauge::torch {

at::Tensor PinnedMemory::take(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  // The allocator may reuse a cached block, but this is not known in advance. The meter is therefore asked
  // for the largest possible size.
  const std::uint64_t most = std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(1, bytes)));
  if (!admits(most)) {
    release_locked();
    if (!admits(most)) {
      return {};
    }
  }
  const std::uint64_t before = blocks_.held_bytes();
  at::Tensor taken;
  try {
    taken = blocks_.take(bytes);
  } catch (...) {
    meter_.withdraw(most);
    throw;
  }
  meter_.withdraw(most);
  if (const std::uint64_t held = blocks_.held_bytes(); held > before) {
    const auto address = reinterpret_cast<std::uintptr_t>(taken.data_ptr());
    meter_.count(address, held - before);
    counted_.emplace_back(address, held - before);
  }
  return taken;
}

void PinnedMemory::release() {
  const std::lock_guard lock(mutex_);
  release_locked();
}

bool PinnedMemory::admits(std::uint64_t bytes) { return meter_.admit(bytes); }

void PinnedMemory::release_locked() {
  blocks_.release_kept();
  std::uint64_t counted =
      std::accumulate(counted_.begin(), counted_.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const auto& own) { return sum + own.second; });
  const std::uint64_t held = blocks_.held_bytes();
  // The allocator does not report which blocks it released. It reports only the sum of their sizes.
  for (auto own = counted_.begin(); own != counted_.end() && counted > held;) {
    if (counted - own->second < held) {
      ++own;
      continue;
    }
    meter_.freed(own->first, own->second);
    counted -= own->second;
    own = counted_.erase(own);
  }
}

#if defined(MOLGAUGE_WITH_CUDA) && MOLGAUGE_TELLS_PINNED_MEMORY
namespace {

class LibTorchBlocks final : public PinnedBlocks {
 public:
  at::Tensor take(std::int64_t bytes) override {
    return at::empty({bytes}, at::TensorOptions(at::kByte).pinned_memory(true));
  }
  std::uint64_t held_bytes() override {
    return static_cast<std::uint64_t>(at::getHostAllocator(at::kCUDA)->get_stats().allocated_bytes.current);
  }
  void release_kept() override { at::getHostAllocator(at::kCUDA)->empty_cache(); }
};

}  // namespace

PinnedMemory* pinned_memory() {
  // The object is never destroyed, because CUDA may end before static objects are destroyed.
  static auto* const memory = new PinnedMemory(*new LibTorchBlocks(), memory::tensor_memory());
  return memory;
}
#else
PinnedMemory* pinned_memory() { return nullptr; }
#endif

}  // namespace molgauge::torch
