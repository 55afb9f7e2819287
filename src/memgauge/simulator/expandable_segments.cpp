// Expandable segments. Each segment is a region: a range of addresses that is larger than the memory of the
// card. The allocator maps memory into a region one page at a time.

#include <algorithm>

#include "memgauge/simulator/caching_allocator.h"
#include "memgauge/simulator/rounding.h"

namespace molgauge::allocator {
namespace {

/// Size of a region in bytes if the card has no limit.
constexpr std::uint64_t kUnlimitedRegion = std::uint64_t{1} << 44;

std::uint64_t up_to_page(std::uint64_t bytes, std::uint64_t page) { return (bytes + page - 1) / page * page; }

}  // namespace

std::uint64_t CachingAllocator::page_bytes(const BlockPool& pool) const {
  return pool.is_small() ? kSmallSegment : settings_.large_segment_bytes;
}

Block* CachingAllocator::grow_expandable(const Request& request) {
  Block* block = find_stretch(request);
  if (block == nullptr) {
    return nullptr;
  }
  // The range begins with an unmapped block, or with a free block before an unmapped block. Pages are mapped
  // until the free block is large enough.
  if (block->state == BlockState::unmapped) {
    block = map_pages(block, std::min(block->bytes, request.bytes));
  }
  while (block != nullptr && block->bytes < request.bytes) {
    Block* const tail = block->next;
    block = map_pages(tail, std::min(tail->bytes, request.bytes - block->bytes));
  }
  if (block != nullptr) {
    request.pool.erase(*block);
  }
  return block;
}

/// Finds the lowest range of free and unmapped blocks with enough room. The range starts with an unmapped
/// block, or with the free block directly before an unmapped block. If there is none, reserves a new region.
/// Returns null if the addresses are exhausted.
Block* CachingAllocator::find_stretch(const Request& request) {
  const auto has_room = [&](const Block* block) {
    std::uint64_t room = 0;
    for (; room < request.bytes && block != nullptr && block->can_be_taken(); block = block->next) {
      room += block->bytes;
    }
    return room >= request.bytes;
  };
  const auto end = request.pool.unmapped_blocks().end();
  for (auto entry = request.pool.first_unmapped(request.stream);
       entry != end && entry->stream == request.stream; ++entry) {
    Block* const before = entry->block->previous;
    Block* const start = before != nullptr && before->can_be_taken() ? before : entry->block;
    if (has_room(start)) {
      return start;
    }
  }
  return reserve_region(request);
}

Block* CachingAllocator::reserve_region(const Request& request) {
  const std::uint64_t page = page_bytes(request.pool);
  const std::uint64_t card = std::min(card_, kUnlimitedRegion);
  // A region has 9/8 of the memory of the card. The surplus is necessary because pages at its start may be
  // unmapped while new pages at its end are needed.
  const std::uint64_t bytes = up_to_page(std::max(card + card / 8, request.bytes), page);
  const std::uint64_t address = device_.reserve_addresses(bytes);
  if (address == 0) {
    return nullptr;
  }
  Block like;
  like.pool = &request.pool;
  like.stream = request.stream;
  like.expandable = true;
  like.in_private_pool = is_private(request.stream);
  Block* const block = make_block(like, address, bytes);
  block->state = BlockState::unmapped;
  request.pool.insert(*block);
  segments_.emplace(block->address, Segment{block->address, bytes, page, block});
  return block;
}

/// Maps memory at the start of an unmapped block. Returns the free block that then contains it, or null if
/// the driver has no more memory.
Block* CachingAllocator::map_pages(Block* block, std::uint64_t bytes) {
  const std::uint64_t mapped = up_to_page(bytes, page_bytes(*block->pool));
  if (!device_.take(mapped)) {
    return nullptr;
  }
  BlockPool& pool = *block->pool;
  pool.erase(*block);
  if (mapped < block->bytes) {
    Block* const rest = split(block, mapped);
    rest->state = BlockState::unmapped;
    pool.insert(*rest);
  }
  block->state = BlockState::free;
  block = merge_neighbours(block);
  pool.insert(*block);
  statistics_.reserved.add(mapped);
  ++statistics_.device_allocations;
  return block;
}

/// Unmaps the whole pages of a free block. Removes a region that has no mapped page left.
void CachingAllocator::unmap_pages(Block* block) {
  const std::uint64_t page = page_bytes(*block->pool);
  const auto region = std::prev(segments_.upper_bound(block->address));
  const std::uint64_t base = region->second.address;
  const std::uint64_t start = base + up_to_page(block->address - base, page);
  const std::uint64_t end = base + (block->address + block->bytes - base) / page * page;
  if (start >= end) {
    return;
  }
  BlockPool& pool = *block->pool;
  pool.erase(*block);
  if (end < block->address + block->bytes) {
    pool.insert(*split(block, end - block->address));
  }
  if (start > block->address) {
    Block* const whole_pages = split(block, start - block->address);
    pool.insert(*block);
    block = whole_pages;
  }
  device_.give_back(end - start);
  statistics_.reserved.subtract(end - start);
  ++statistics_.device_frees;
  block->state = BlockState::unmapped;
  block = merge_neighbours(block);
  if (block->is_split()) {
    pool.insert(*block);
  } else {
    device_.release_addresses(base, region->second.bytes);
    segments_.erase(region);
    discard(block);
  }
}

}  // namespace molgauge::allocator
