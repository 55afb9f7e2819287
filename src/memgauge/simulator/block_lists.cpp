// Creates, splits and merges the blocks of a segment.

#include "memgauge/simulator/caching_allocator.h"

namespace molgauge::allocator {

/// Returns a new free block with the pool, stream and kind of `like`. It has no neighbours and is not in a
/// pool.
Block* CachingAllocator::make_block(const Block& like, std::uint64_t address, std::uint64_t bytes) {
  if (unused_.empty()) {
    unused_.push_back(&blocks_.emplace_back());
  }
  Block* const block = unused_.back();
  unused_.pop_back();
  *block = Block{};
  block->address = address;
  block->bytes = bytes;
  block->pool = like.pool;
  block->stream = like.stream;
  block->expandable = like.expandable;
  block->in_private_pool = like.in_private_pool;
  return block;
}

void CachingAllocator::discard(Block* block) { unused_.push_back(block); }

/// Shortens the block to `bytes`. Returns the rest as a free block after it.
Block* CachingAllocator::split(Block* block, std::uint64_t bytes) {
  Block* const rest = make_block(*block, block->address + bytes, block->bytes - bytes);
  rest->previous = block;
  rest->next = block->next;
  if (rest->next != nullptr) {
    rest->next->previous = rest;
  }
  block->next = rest;
  block->bytes = bytes;
  return rest;
}

/// Merges the block with each neighbour in the same state (both free, or both unmapped). The neighbours are
/// removed from their pool. The resulting block is not in a pool.
Block* CachingAllocator::merge_neighbours(Block* block) {
  const auto is_alike = [&](const Block* other) { return other != nullptr && other->state == block->state; };
  if (is_alike(block->previous)) {
    Block* const left = block->previous;
    left->pool->erase(*left);
    block = absorb(left, block);
  }
  if (is_alike(block->next)) {
    block->pool->erase(*block->next);
    block = absorb(block, block->next);
  }
  return block;
}

Block* CachingAllocator::absorb(Block* left, Block* right) {
  left->bytes += right->bytes;
  left->next = right->next;
  if (left->next != nullptr) {
    left->next->previous = left;
  }
  discard(right);
  return left;
}

}  // namespace molgauge::allocator
