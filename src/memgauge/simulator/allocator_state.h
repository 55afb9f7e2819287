#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "memgauge/simulator/caching_allocator.h"

namespace molgauge::allocator {

struct BlockPicture {
  std::uint64_t address = 0, bytes = 0, requested = 0;
  BlockState state = BlockState::free;
  std::uint32_t origin = 0;  ///< origin of the request, if the block is in use
  /// The number of the allocation in the recording, for blocks in use that have such a number.
  std::uint32_t allocation = 0;
};

/// The state of a segment at one moment. An expandable segment has a picture for each contiguous range of
/// mapped memory, as in the snapshots of PyTorch.
struct SegmentPicture {
  std::uint64_t address = 0;
  std::uint64_t reserved = 0;  ///< bytes
  StreamNumber stream = 0;
  bool is_small = false, is_expandable = false;
  std::string pool;  ///< name of a private pool (CUDA graph, MemPool), or empty for the common pool
  std::vector<BlockPicture> blocks;
};

/// All segments of an allocator, by address. `origin_of` returns the origin of an allocation (Block::holder).
std::vector<SegmentPicture> picture_of(const CachingAllocator& allocator,
                                       const std::function<std::uint32_t(std::uint32_t)>& origin_of);

/// Reserved memory that no live allocation uses.
struct IdleMemory {
  std::uint64_t cached = 0;    ///< all idle bytes
  std::uint64_t stranded = 0;  ///< idle bytes that cannot be released, because the segment or page is in use
  std::uint64_t largest = 0;   ///< largest free block
};

IdleMemory idle_memory(const CachingAllocator& allocator);
/// Returns the idle memory of a recorded state.
IdleMemory idle_memory(const std::vector<SegmentPicture>& segments);

}  // namespace molgauge::allocator
