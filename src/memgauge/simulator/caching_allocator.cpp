// Handles requests, with the same sequence of steps as malloc() and free() of CUDACachingAllocator.

#include "memgauge/simulator/caching_allocator.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "memgauge/simulator/rounding.h"

namespace molgauge::allocator {

void BlockPool::insert(Block& block) {
  if (block.state == BlockState::unmapped) {
    unmapped_.insert({block.stream, block.address, &block});
    return;
  }
  block.searches_when_freed = searches_;
  free_.insert({block.stream, block.bytes, block.address, &block});
}

void BlockPool::erase(const Block& block) {
  if (block.state == BlockState::unmapped) {
    unmapped_.erase({block.stream, block.address, nullptr});
  } else {
    free_.erase({block.stream, block.bytes, block.address, nullptr});
  }
}

std::uint64_t BlockPool::largest_free() const {
  std::uint64_t largest = 0;
  // The last block of a stream is its largest, so the search visits one block for each stream.
  for (auto after = free_.end(); after != free_.begin();) {
    const auto last = std::prev(after);
    largest = std::max(largest, last->bytes);
    after = free_.lower_bound({last->stream, 0, 0, nullptr});
  }
  return largest;
}

CachingAllocator::CachingAllocator(AllocatorSettings settings, std::uint64_t capacity,
                                   std::optional<std::uint64_t> card)
    : settings_(std::move(settings)),
      device_(capacity),
      card_(std::max(card.value_or(capacity), capacity)),
      small_(true, &nodes_),
      large_(false, &nodes_) {}

void CachingAllocator::declare_private(StreamNumber stream) {
  if (stream >= private_streams_.size()) {
    private_streams_.resize(std::size_t{stream} + 1);
  }
  private_streams_[stream] = true;
}

Block* CachingAllocator::allocate(std::uint64_t bytes, StreamNumber stream) {
  const std::uint64_t rounded = round_request(bytes, settings_);
  const Request request{rounded, stream, rounded <= kLargestSmallRequest ? small_ : large_};
  Block* block = find_free(request);
  if (block == nullptr) {
    collect_garbage();
    block = grow(request);
  }
  if (block == nullptr && release_oversize(request)) {
    block = grow(request);
  }
  if (block == nullptr) {
    release_cached();
    ++statistics_.retries;
    block = grow(request);
  }
  if (block == nullptr) {
    ++statistics_.out_of_memory;
    return nullptr;
  }
  return occupy(request, block, bytes);
}

void CachingAllocator::free(Block* block) {
  request_free(block);
  complete_free(block);
}

void CachingAllocator::request_free(Block* block) {
  block->state = BlockState::pending;
  block->pending_place = static_cast<std::uint32_t>(pending_.size());
  pending_.push_back(block);
  statistics_.allocated.subtract(block->bytes);
  statistics_.requested.subtract(block->requested);
}

void CachingAllocator::complete_free(Block* block) {
  if (block->state != BlockState::pending) {
    return;  // memory ran out after request_free(), which completed all pending blocks
  }
  pending_.back()->pending_place = block->pending_place;
  pending_[block->pending_place] = pending_.back();
  pending_.pop_back();
  statistics_.active.subtract(block->bytes);
  block->state = BlockState::free;
  block->requested = 0;
  block = merge_neighbours(block);
  block->pool->insert(*block);
}

/// Finds the best fit, or the lowest address among equal fits. Removes the block from its pool.
Block* CachingAllocator::find_free(const Request& request) {
  BlockPool& pool = request.pool;
  pool.count_search();
  auto found = pool.smallest_fit(request.stream, request.bytes);
  const auto end = pool.free_blocks().end();
  const auto is_candidate = [&] { return found != end && found->stream == request.stream; };
  if (!settings_.expandable_segments) {
    while (is_candidate() && found->block->expandable) {
      ++found;
    }
  }
  if (!is_candidate()) {
    return nullptr;
  }
  Block* const block =
      found->block->expandable ? skip_what_expands_further(request, found->block) : found->block;
  if (is_oversize_for(request, *block)) {
    return nullptr;
  }
  pool.erase(*block);
  return block;
}

/// Among the free blocks that fit, prefers a block that can grow less. A free block can grow into unmapped
/// memory directly after it, so blocks are compared by the sum of both sizes.
Block* CachingAllocator::skip_what_expands_further(const Request& request, Block* found) const {
  const auto expanded = [](const Block& block) {
    const Block* tail = block.next;
    return block.bytes + (tail != nullptr && tail->state == BlockState::unmapped ? tail->bytes : 0);
  };
  auto current = request.pool.free_blocks().find({found->stream, found->bytes, found->address, nullptr});
  for (auto next = std::next(current);
       current->block->expandable && next != request.pool.free_blocks().end() &&
       next->stream == request.stream && expanded(*next->block) < expanded(*current->block);
       ++next) {
    current = next;
  }
  return current->block;
}

bool CachingAllocator::is_oversize_for(const Request& request, const Block& block) const {
  if (request.bytes < settings_.max_split_bytes) {
    return block.bytes >= settings_.max_split_bytes;
  }
  return block.bytes >= request.bytes + settings_.max_non_split_rounding_bytes;
}

Block* CachingAllocator::grow(const Request& request) {
  const std::uint64_t bytes = segment_bytes(request.bytes, settings_);
  if (!fraction_allows(bytes)) {
    return nullptr;
  }
  if (settings_.expandable_segments) {
    return grow_expandable(request);
  }
  if (!device_.take(bytes)) {
    return nullptr;
  }
  const std::uint64_t address = device_.reserve_addresses(bytes);
  if (address == 0) {
    device_.give_back(bytes);
    return nullptr;
  }
  Block like;
  like.pool = &request.pool;
  like.stream = request.stream;
  like.in_private_pool = is_private(request.stream);
  Block* const block = make_block(like, address, bytes);
  segments_.emplace(block->address, Segment{block->address, bytes, 0, block});
  statistics_.reserved.add(bytes);
  ++statistics_.device_allocations;
  return block;
}

bool CachingAllocator::should_split(const Request& request, const Block& block) const {
  const std::uint64_t remainder = block.bytes - request.bytes;
  if (request.pool.is_small() || settings_.expandable_segments) {
    return remainder >= kSmallestBlock;
  }
  return request.bytes < settings_.max_split_bytes && remainder > kLargestSmallRequest;
}

/// Allocates the low end of the block for the request and returns this part.
Block* CachingAllocator::occupy(const Request& request, Block* block, std::uint64_t requested) {
  if (should_split(request, *block)) {
    request.pool.insert(*split(block, request.bytes));
  }
  block->state = BlockState::allocated;
  block->requested = requested;
  statistics_.active.add(block->bytes);
  statistics_.allocated.add(block->bytes);
  statistics_.requested.add(requested);
  return block;
}

bool CachingAllocator::fraction_allows(std::uint64_t more) const {
  return !settings_.memory_fraction || statistics_.reserved.now + more <= allowed_bytes(settings_, card_);
}

}  // namespace molgauge::allocator
