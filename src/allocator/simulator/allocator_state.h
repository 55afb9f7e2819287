#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "allocator/simulator/caching_allocator.h"

namespace headroom::allocator {

struct BlockPicture {
  std::uint64_t address = 0, bytes = 0, requested = 0;
  BlockState state = BlockState::free;
  std::uint32_t origin = 0;      ///< who asked for it; of blocks in use
  std::uint32_t allocation = 0;  ///< its number in the recording; of blocks in use that have one
};

/// A segment as it was at one moment. Stretches without memory behind them are left out.
struct SegmentPicture {
  std::uint64_t address = 0;
  std::uint64_t reserved = 0;  ///< bytes: of an expandable segment, those that are mapped
  StreamNumber stream = 0;
  bool is_small = false, is_expandable = false;
  std::string pool;  ///< of a private pool (a CUDA graph's, a MemPool): its name; empty: the common pool
  std::vector<BlockPicture> blocks;
};

/// All segments of an allocator, by address. `origin_of` tells who asked for an allocation (Block::holder).
std::vector<SegmentPicture> picture_of(const CachingAllocator& allocator,
                                       const std::function<std::uint32_t(std::uint32_t)>& origin_of);

/// Memory that is reserved and in which nothing lives.
struct IdleMemory {
  std::uint64_t cached = 0;  ///< all of it
  std::uint64_t stranded =
      0;  ///< what cannot go back to the driver: something lives in the same segment or page
  std::uint64_t largest = 0;  ///< largest free block
};

IdleMemory idle_memory(const CachingAllocator& allocator);
/// The same for a recorded state.
IdleMemory idle_memory(const std::vector<SegmentPicture>& segments);

}  // namespace headroom::allocator
