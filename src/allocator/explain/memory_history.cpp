#include "allocator/explain/memory_history.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "allocator/explain/lifetimes.h"

namespace headroom::allocator {
namespace {

constexpr std::size_t kPoints = 600, kStates = 48, kPhases = 400;

/// Seconds of an event since the first known time.
class Clock {
 public:
  explicit Clock(const Recording& recording) : times_(recording.times) {}

  bool is_known() const { return times_.size() > 1 && times_.back().time_us > times_.front().time_us; }
  double seconds(std::size_t event) {
    while (next_ + 1 < times_.size() && times_[next_ + 1].event <= event) {
      ++next_;
    }
    return times_.empty() ? 0 : static_cast<double>(times_[next_].time_us - times_.front().time_us) / 1e6;
  }

 private:
  const std::vector<TimeMark>& times_;
  std::size_t next_ = 0;
};

std::vector<PhaseSpan> phases_of(const Recording& recording) {
  std::vector<PhaseSpan> open, closed;
  for (std::size_t i = 0; i < recording.events.size() && closed.size() < kPhases; ++i) {
    const MemoryEvent& event = recording.events[i];
    if (event.kind == EventKind::begin_phase) {
      open.push_back({recording.origins[event.origin], i, i, open.size()});
    } else if (event.kind == EventKind::end_phase && !open.empty()) {
      closed.push_back(open.back());
      closed.back().last_event = i;
      open.pop_back();
    }
  }
  for (auto& phase : open) {
    phase.last_event = recording.events.size();
    closed.push_back(phase);
  }
  return closed;
}

}  // namespace

std::vector<SegmentGroup> group_segments(const std::vector<SegmentPicture>& segments,
                                         const std::vector<std::uint32_t>& series_of, std::size_t series) {
  using Key = std::tuple<std::string, bool, std::uint64_t, std::uint64_t>;
  std::map<Key, SegmentGroup> groups;
  for (const auto& segment : segments) {
    std::uint64_t used = 0;
    for (const auto& block : segment.blocks) {
      used += block.state == BlockState::free ? 0 : block.bytes;
    }
    const std::uint64_t tenths = segment.reserved == 0 ? 0 : used / (segment.reserved / 10 + 1);
    SegmentGroup& group = groups[Key(segment.pool, segment.is_expandable, segment.reserved, tenths)];
    group.segment_bytes = segment.reserved;
    group.is_expandable = segment.is_expandable;
    group.pool = segment.pool;
    group.held.resize(series);
    ++group.count;
    for (const auto& block : segment.blocks) {
      if (block.state == BlockState::allocated) {
        group.held[std::min<std::size_t>(series_of[block.origin], series - 1)] += block.bytes;
      } else {
        (block.state == BlockState::pending ? group.pending : group.free) += block.bytes;
      }
    }
  }
  std::vector<SegmentGroup> sorted;
  for (auto& [key, group] : groups) {
    sorted.push_back(std::move(group));
  }
  const auto reserved = [](const SegmentGroup& group) { return group.segment_bytes * group.count; };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const SegmentGroup& left, const SegmentGroup& right) {
    return reserved(left) > reserved(right);
  });
  return sorted;
}

HistoryRecorder::HistoryRecorder(const Recording& recording, std::size_t moment) : recording_(recording) {
  choose_series(moment);
}

void HistoryRecorder::choose_series(std::size_t moment) {
  constexpr std::size_t own_series = 6;  // number of colours that readers can tell apart
  std::vector<std::uint64_t> held(recording_.origins.size(), 0);
  for (const auto& lifetime : lifetimes_of(recording_)) {
    held[lifetime.origin] += lifetime.lives_after(moment) ? lifetime.bytes : 0;
  }
  std::vector<std::uint32_t> order(held.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t left, std::uint32_t right) { return held[left] > held[right]; });
  order.resize(std::min(order.size(), own_series));
  series_of_.assign(held.size(), static_cast<std::uint32_t>(order.size()));
  for (const std::uint32_t origin : order) {
    series_of_[origin] = static_cast<std::uint32_t>(series_.size());
    series_.push_back({recording_.origins[origin], stack_of(recording_, origin).frames});
  }
  series_.push_back({"all others", {}});
}

MemoryHistory HistoryRecorder::history() const {
  MemoryHistory history;
  history.series = series_;
  history.phases = phases_of(recording_);
  Clock clock(recording_);
  history.has_times = clock.is_known();
  std::vector<std::uint64_t> sizes(recording_.allocations, 0), held(series_.size(), 0), highest(held);
  std::vector<std::uint32_t> origins(recording_.allocations, 0);
  std::uint64_t live = 0, most = 0;
  std::size_t highest_event = 0;
  const auto ends = even_stretches(recording_.events.size(), kPoints);
  std::size_t stretch = 0;
  for (std::size_t i = 0; i < recording_.events.size(); ++i) {
    const MemoryEvent& event = recording_.events[i];
    if (event.kind == EventKind::allocate) {
      sizes[event.allocation] = event.bytes;
      origins[event.allocation] = event.origin;
      held[series_of_[event.origin]] += event.bytes;
      live += event.bytes;
    } else if (event.kind == EventKind::free || event.kind == EventKind::request_free) {
      held[series_of_[origins[event.allocation]]] -= sizes[event.allocation];
      live -= sizes[event.allocation];
      sizes[event.allocation] = 0;
    }
    // The peak of each stretch, so that no peak is lost between two points.
    if (live >= most) {
      most = live;
      highest = held;
      highest_event = i;
    }
    if (stretch < ends.size() && i == ends[stretch]) {
      history.points.push_back({highest_event, clock.seconds(highest_event), highest});
      most = 0;
      ++stretch;
    }
  }
  return history;
}

std::vector<StateAt> HistoryRecorder::states(ReplayOptions options) const {
  std::vector<std::uint32_t> origins(recording_.allocations, 0);
  for (const auto& made : recording_.events) {
    if (made.kind == EventKind::allocate) {
      origins[made.allocation] = made.origin;
    }
  }
  const auto moments = even_stretches(recording_.events.size(), kStates);
  std::vector<StateAt> states;
  std::size_t next = 0;
  options.stretch_ends.clear();
  options.after_event = [&](std::size_t event, const CachingAllocator& allocator) {
    if (next < moments.size() && event == moments[next]) {
      const auto pictures =
          picture_of(allocator, [&](std::uint32_t allocation) { return origins[allocation]; });
      states.push_back({event, group_segments(pictures, series_of_, series_.size())});
      ++next;
    }
  };
  replay(recording_, options);
  return states;
}

}  // namespace headroom::allocator
