#include "memgauge/recordings/ranged_trace.h"

#include <algorithm>

#include "base/core/error.h"

namespace molgauge::allocator {

bool RangedTrace::is_before(const TracePoint& point, std::uint64_t number) const {
  if (point.is_time && first_time_us_ == 0) {
    throw InputError(
        "the events have no times. Give the numbers of events to --from and --to, for example --from 20000");
  }
  return (point.is_time ? elapsed_ : number) < point.value;
}

bool RangedTrace::take(const TraceRow& row) {
  const std::uint64_t number = events_++;
  if (row.time_us > 0) {
    first_time_us_ = first_time_us_ == 0 ? row.time_us : first_time_us_;
    elapsed_ = std::max(elapsed_, row.time_us - std::min(row.time_us, first_time_us_));
  }
  if (range_.from && is_before(*range_.from, number)) {
    ++before_;
    note_earlier(row);
    return false;
  }
  if (after_ > 0 || (range_.to && !is_before(*range_.to, number))) {
    ++after_;
    note_later(number, row);
    return false;
  }
  return true;
}

void RangedTrace::note_earlier(const TraceRow& row) {
  if (action_of(row) == Word::alloc) {
    frames_before_[row.address] = row.frames;
  } else if (action_of(row) == Word::free_completed) {
    frames_before_.erase(row.address);
  }
}

void RangedTrace::note_later(std::uint64_t number, const TraceRow& row) {
  later_reserve_change_ += reserve_change(row);
  const auto begin = [&](auto& open) {
    open[row.address] = number;
    later_[number] = row;
  };
  const auto end = [&](auto& open) {
    if (const auto found = open.find(row.address); found != open.end()) {
      later_.erase(found->second);
      open.erase(found);
    } else {
      later_[number] = row;
    }
  };
  switch (action_of(row)) {
    case Word::alloc:
      return begin(later_blocks_);
    case Word::free_completed:
      return end(later_blocks_);
    case Word::segment_alloc:
    case Word::segment_map:
      return begin(later_segments_);
    case Word::segment_free:
    case Word::segment_unmap:
      return end(later_segments_);
    default:
      return;
  }
}

}  // namespace molgauge::allocator
