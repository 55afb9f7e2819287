#pragma once

#include <cstdint>

namespace molgauge::allocator {

using StreamNumber = std::uint32_t;
class BlockPool;

enum class BlockState : std::uint8_t {
  free,       ///< cached, so it is available to the next request
  allocated,  ///< holds a live tensor
  pending,    ///< the tensor was freed, but another stream may still use the bytes
  unmapped,   ///< addresses of an expandable segment without memory
};

/// A part of a segment. The blocks of a segment form a list in the order of their addresses and fill it.
struct Block {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::uint64_t requested = 0;  ///< requested bytes, before rounding; 0 while free
  /// The number of searches in the pool until the block was freed. The age of a block is the number of
  /// searches since then.
  std::uint64_t searches_when_freed = 0;
  Block* previous = nullptr;
  Block* next = nullptr;
  BlockPool* pool = nullptr;
  StreamNumber stream = 0;
  std::uint32_t pending_place = 0;  ///< index in the list of pending blocks
  std::uint32_t holder = 0;         ///< number of the allocation in this block, set by users of the allocator
  BlockState state = BlockState::free;
  bool expandable = false;  ///< part of an expandable segment
  /// The block belongs to a private pool (CUDA graph, MemPool). The allocator keeps the cache of a private
  /// pool, even if memory runs out for other requests.
  bool in_private_pool = false;

  bool can_be_taken() const { return state == BlockState::free || state == BlockState::unmapped; }
  bool is_split() const { return previous != nullptr || next != nullptr; }
};

}  // namespace molgauge::allocator
