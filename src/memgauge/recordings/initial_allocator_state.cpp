#include "memgauge/recordings/initial_allocator_state.h"

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "memgauge/recordings/release_bursts.h"
#include "memgauge/simulator/rounding.h"

namespace molgauge::allocator {
namespace {

constexpr std::uint64_t kMaxDeviceBytes = std::uint64_t{1} << 50U;  // no card has a pebibyte

}  // namespace

InitialAllocatorState::InitialAllocatorState(const std::vector<SegmentPicture>& segments,
                                             AllocatorSettings settings)
    : settings_(std::move(settings)) {
  for (const auto& picture : segments) {
    if (picture.is_expandable) {
      give_up("its segments are expandable");
      return;
    }
    SegmentThen& segment = segments_[picture.address];
    segment.picture = picture;
    segment.picture.blocks.clear();
    auto last = segment.blocks.end();
    for (const auto& block : picture.blocks) {
      const bool in_use = block.state != BlockState::free;
      if (!in_use && last != segment.blocks.end() && !last->second.in_use) {
        last->second.bytes += block.bytes;
        continue;
      }
      last = segment.blocks.emplace_hint(segment.blocks.end(), block.address,
                                         BlockThen{block.bytes, in_use ? block.requested : 0, in_use});
    }
  }
}

void InitialAllocatorState::undo(const TraceRow& row) {
  if (!contradiction_.empty()) {
    return;
  }
  switch (action_of(row)) {
    case Word::segment_alloc:
      return undo_segment_alloc(row);
    case Word::segment_free:
      return undo_segment_free(row);
    case Word::alloc:
      return undo_alloc(row);
    case Word::free_completed:
      return undo_free(row);
    case Word::segment_map:
    case Word::segment_unmap:
      return give_up("its segments are expandable");
    default:
      return;
  }
}

InitialAllocatorState::SegmentThen* InitialAllocatorState::segment_of(std::uint64_t address) {
  auto after = segments_.upper_bound(address);
  if (after == segments_.begin()) {
    return nullptr;
  }
  SegmentThen& segment = std::prev(after)->second;
  return address - segment.picture.address < segment.picture.reserved ? &segment : nullptr;
}

void InitialAllocatorState::undo_segment_alloc(const TraceRow& row) {
  const auto found = segments_.find(row.address);
  if (found == segments_.end() || found->second.picture.reserved != row.bytes ||
      found->second.blocks.size() != 1 || found->second.blocks.begin()->second.in_use) {
    return give_up(fmt::format("the segment at {:#x} that came is not there, or something lived in it before",
                               row.address));
  }
  segments_.erase(found);
}

void InitialAllocatorState::undo_segment_free(const TraceRow& row) {
  const auto after = segments_.lower_bound(row.address);
  const bool overlaps = segment_of(row.address) != nullptr ||
                        (after != segments_.end() && after->first - row.address < row.bytes);
  if (overlaps || row.bytes == 0) {
    return give_up(fmt::format("the segment at {:#x} that went overlaps another", row.address));
  }
  SegmentThen& segment = segments_[row.address];
  segment.picture.address = row.address;
  segment.picture.reserved = row.bytes;
  segment.picture.stream = row.stream;
  segment.picture.is_small = row.bytes <= kSmallSegment;
  segment.blocks.emplace(row.address, BlockThen{row.bytes, 0, false});
}

void InitialAllocatorState::undo_alloc(const TraceRow& row) {
  SegmentThen* const segment = segment_of(row.address);
  const auto block = segment == nullptr ? Blocks::iterator{} : segment->blocks.find(row.address);
  if (segment == nullptr || block == segment->blocks.end() || !block->second.in_use) {
    return give_up(fmt::format("what was allocated at {:#x} is not there afterwards", row.address));
  }
  block->second.in_use = false;
  block->second.requested = 0;
  if (const auto next = std::next(block); next != segment->blocks.end() && !next->second.in_use) {
    block->second.bytes += next->second.bytes;
    segment->blocks.erase(next);
  }
  if (block != segment->blocks.begin()) {
    if (const auto before = std::prev(block); !before->second.in_use) {
      before->second.bytes += block->second.bytes;
      segment->blocks.erase(block);
    }
  }
}

void InitialAllocatorState::undo_free(const TraceRow& row) {
  SegmentThen* const segment = segment_of(row.address);
  if (segment == nullptr) {
    return give_up(fmt::format("what was freed at {:#x} lay in no segment", row.address));
  }
  const auto hole = std::prev(segment->blocks.upper_bound(row.address));
  const std::uint64_t end = hole->first + hole->second.bytes;
  if (hole->second.in_use || end <= row.address || round_request(row.bytes, settings_) > end - row.address) {
    return give_up(fmt::format("what was freed at {:#x} is not free afterwards", row.address));
  }
  carve(*segment, hole, row);
}

void InitialAllocatorState::carve(SegmentThen& segment, Blocks::iterator hole, const TraceRow& row) {
  const std::uint64_t start = hole->first, end = start + hole->second.bytes;
  const std::uint64_t rounded = round_request(row.bytes, settings_), rest = end - row.address - rounded;
  const bool is_small = segment.picture.is_small;
  const std::uint64_t smallest_gap = is_small ? kSmallestBlock : kLargestSmallRequest + 1;
  const bool takes_all = rest < smallest_gap || rounded >= settings_.max_split_bytes;
  const std::uint64_t bytes = takes_all ? end - row.address : rounded;
  const std::uint64_t before = row.address - start;
  if (before == 0) {
    hole->second = BlockThen{bytes, row.bytes, true};
  } else {
    if (before < smallest_gap && hole != segment.blocks.begin()) {
      // The allocator never leaves such a small gap. The gap belongs to the previous block, which was not
      // split.
      std::prev(hole)->second.bytes += before;
      segment.blocks.erase(hole);
    } else {
      hole->second.bytes = before;
    }
    segment.blocks.emplace(row.address, BlockThen{bytes, row.bytes, true});
  }
  if (!takes_all) {
    segment.blocks.emplace(row.address + bytes, BlockThen{rest, 0, false});
  }
}

/// Checks for damage: segments that overlap, and blocks that do not fill their segment.
void InitialAllocatorState::check() {
  std::uint64_t free_from = 0, reserved = 0;
  for (const auto& [address, segment] : segments_) {
    std::uint64_t next = address;
    for (const auto& [at, block] : segment.blocks) {
      if (at != next || block.bytes == 0 || block.bytes > kMaxDeviceBytes) {
        return give_up(fmt::format("the blocks of the segment at {:#x} do not tile it", address));
      }
      next += block.bytes;
    }
    reserved += segment.picture.reserved;
    if (address < free_from || next < address || next - address != segment.picture.reserved ||
        reserved > kMaxDeviceBytes) {
      return give_up(fmt::format("the segment at {:#x} overlaps another", address));
    }
    free_from = next;
  }
}

std::vector<SegmentPicture> InitialAllocatorState::pictures() const {
  std::vector<SegmentPicture> pictures;
  for (const auto& [address, segment] : segments_) {
    SegmentPicture& picture = pictures.emplace_back(segment.picture);
    for (const auto& [at, block] : segment.blocks) {
      picture.blocks.push_back(
          {at, block.bytes, block.requested, block.in_use ? BlockState::allocated : BlockState::free});
    }
  }
  return pictures;
}

}  // namespace molgauge::allocator
