#include "memgauge/simulator/allocator_state.h"

#include <algorithm>

namespace molgauge::allocator {
namespace {

/// The bytes of a free block that can be released. In an expandable segment, these are the whole pages of the
/// block. In other segments, these are all bytes of the block if it fills its segment, otherwise 0.
std::uint64_t releasable(const Segment& segment, const Block& block) {
  if (segment.page_bytes == 0) {
    return block.is_split() ? 0 : block.bytes;
  }
  const std::uint64_t start = block.address - segment.address, page = segment.page_bytes;
  const std::uint64_t first_page = (start + page - 1) / page, end_page = (start + block.bytes) / page;
  return end_page > first_page ? (end_page - first_page) * page : 0;
}

SegmentPicture empty_picture(const Segment& segment, std::uint64_t address) {
  SegmentPicture picture;
  picture.address = address;
  picture.stream = segment.first->stream;
  picture.is_small = segment.first->pool->is_small();
  picture.is_expandable = segment.page_bytes > 0;
  return picture;
}

}  // namespace

std::vector<SegmentPicture> picture_of(const CachingAllocator& allocator,
                                       const std::function<std::uint32_t(std::uint32_t)>& origin_of) {
  std::vector<SegmentPicture> pictures;
  for (const auto& [address, segment] : allocator.segments()) {
    for (const Block* block = segment.first; block != nullptr; block = block->next) {
      if (block->state == BlockState::unmapped) {
        continue;
      }
      if (block->previous == nullptr || block->previous->state == BlockState::unmapped) {
        pictures.push_back(empty_picture(segment, block->address));
      }
      SegmentPicture& picture = pictures.back();
      picture.reserved += block->bytes;
      const bool is_free = block->state == BlockState::free;
      picture.blocks.push_back({block->address, block->bytes, block->requested, block->state,
                                is_free ? 0 : origin_of(block->holder), is_free ? 0 : block->holder});
    }
  }
  return pictures;
}

IdleMemory idle_memory(const CachingAllocator& allocator) {
  IdleMemory idle;
  for (const auto& [address, segment] : allocator.segments()) {
    for (const Block* block = segment.first; block != nullptr; block = block->next) {
      if (block->state == BlockState::free) {
        idle.cached += block->bytes;
        idle.stranded += block->bytes - releasable(segment, *block);
        idle.largest = std::max(idle.largest, block->bytes);
      }
    }
  }
  return idle;
}

IdleMemory idle_memory(const std::vector<SegmentPicture>& segments) {
  IdleMemory idle;
  for (const auto& segment : segments) {
    for (const auto& block : segment.blocks) {
      if (block.state == BlockState::free) {
        idle.cached += block.bytes;
        idle.stranded += segment.blocks.size() > 1 ? block.bytes : 0;
        idle.largest = std::max(idle.largest, block.bytes);
      }
    }
  }
  return idle;
}

}  // namespace molgauge::allocator
