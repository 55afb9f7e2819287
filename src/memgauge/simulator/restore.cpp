// Restores the segments of a program that was running before its recording began.

#include "memgauge/simulator/allocator_state.h"
#include "memgauge/simulator/caching_allocator.h"

namespace molgauge::allocator {

std::vector<Block*> CachingAllocator::restore(const std::vector<SegmentPicture>& segments) {
  std::vector<Block*> in_use;
  for (const auto& picture : segments) {
    BlockPool& pool = picture.is_small ? small_ : large_;
    Segment segment{picture.address, picture.reserved, 0, nullptr};
    Block like;
    like.pool = &pool;
    like.stream = picture.stream;
    if (!picture.pool.empty()) {
      declare_private(picture.stream);
    }
    like.in_private_pool = is_private(picture.stream);
    Block* before = nullptr;
    for (const auto& had : picture.blocks) {
      Block* const block = make_block(like, had.address, had.bytes);
      block->previous = before;
      (before == nullptr ? segment.first : before->next) = block;
      before = block;
      if (had.state == BlockState::free) {
        pool.insert(*block);
        continue;
      }
      block->state = BlockState::allocated;
      block->requested = had.requested;
      block->holder = had.allocation;
      statistics_.active.add(had.bytes);
      statistics_.allocated.add(had.bytes);
      statistics_.requested.add(had.requested);
      in_use.push_back(block);
    }
    if (segment.first != nullptr) {
      device_.occupy(picture.address, picture.reserved);
      statistics_.reserved.add(picture.reserved);
      segments_.emplace(picture.address, segment);
    }
  }
  return in_use;
}

}  // namespace molgauge::allocator
