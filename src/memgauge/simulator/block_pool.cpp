#include "memgauge/simulator/block_pool.h"

#include <algorithm>
#include <iterator>

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

}  // namespace molgauge::allocator
