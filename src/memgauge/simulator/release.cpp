// Releases cached memory to the driver.

#include <iterator>

#include "memgauge/simulator/caching_allocator.h"

namespace molgauge::allocator {
namespace {

/// Whether the block is a whole segment that can be released.
bool is_whole_segment(const Block& block) {
  return !block.is_split() && !block.expandable && !block.in_private_pool;
}

}  // namespace

/// Releases whole large segments that have been unused for longer than the average, until the reserved memory
/// is below the threshold. The threshold is a share of the card, or of the part that the memory fraction
/// allows. As in PyTorch, nothing is released unless a memory fraction is set.
void CachingAllocator::collect_garbage() {
  if (!settings_.memory_fraction || settings_.garbage_collection_threshold <= 0) {
    return;
  }
  const auto allowed = static_cast<double>(allowed_bytes(settings_, card_));
  const auto threshold = static_cast<std::uint64_t>(settings_.garbage_collection_threshold * allowed);
  double total_age = 0;
  std::size_t count = 0;
  for (const auto& entry : large_.free_blocks()) {
    if (is_whole_segment(*entry.block)) {
      total_age += static_cast<double>(large_.age(*entry.block));
      ++count;
    }
  }
  bool has_released = true;
  while (statistics_.reserved.now > threshold && count > 0 && has_released) {
    const double average_age = total_age / static_cast<double>(count);
    has_released = false;
    for (auto entry = large_.free_blocks().begin(); entry != large_.free_blocks().end();) {
      Block* const block = (entry++)->block;
      const auto age = static_cast<double>(large_.age(*block));
      if (is_whole_segment(*block) && age >= average_age) {
        total_age -= age;
        --count;
        has_released = true;
        release_segment(block);
      }
    }
  }
}

/// Used if max_split_size is set. Releases one cached block that is large enough, or several, starting with
/// the largest. Returns whether enough was released.
bool CachingAllocator::release_oversize(const Request& request) {
  if (settings_.max_split_bytes == AllocatorSettings::kUnlimited) {
    return false;
  }
  const std::uint64_t wanted = std::max(request.bytes, settings_.max_split_bytes);
  const auto& free_blocks = request.pool.free_blocks();
  auto entry = request.pool.smallest_fit(request.stream, wanted);
  while (entry != free_blocks.end() && entry->stream == request.stream && !is_whole_segment(*entry->block)) {
    ++entry;
  }
  if (entry != free_blocks.end() && entry->stream == request.stream) {
    release_segment(entry->block);
    return true;
  }
  std::uint64_t released = 0;
  while (released < wanted && entry != free_blocks.begin()) {
    const auto largest = std::prev(entry);
    if (largest->stream != request.stream || largest->bytes < settings_.max_split_bytes) {
      break;
    }
    if (!is_whole_segment(*largest->block)) {
      entry = largest;
      continue;
    }
    released += largest->bytes;
    release_segment(largest->block);
  }
  return released >= wanted;
}

void CachingAllocator::empty_cache() { release_cached(); }

void CachingAllocator::release_cached() {
  complete_pending();
  release_pool(large_);
  release_pool(small_);
}

void CachingAllocator::release_pool(BlockPool& pool) {
  std::vector<Block*> expandable;  // released later, because unmapping changes the pool
  for (auto entry = pool.free_blocks().begin(); entry != pool.free_blocks().end();) {
    Block* const block = (entry++)->block;
    if (block->expandable && !block->in_private_pool) {
      expandable.push_back(block);
    } else if (is_whole_segment(*block)) {
      release_segment(block);
    }
  }
  for (Block* const block : expandable) {
    unmap_pages(block);
  }
}

/// `block` must fill its segment, which must not be expandable.
void CachingAllocator::release_segment(Block* block) {
  block->pool->erase(*block);
  device_.give_back(block->bytes);
  statistics_.reserved.subtract(block->bytes);
  ++statistics_.device_frees;
  device_.release_addresses(block->address, block->bytes);
  segments_.erase(block->address);
  discard(block);
}

void CachingAllocator::complete_pending() {
  while (!pending_.empty()) {
    complete_free(pending_.back());
  }
}

}  // namespace molgauge::allocator
