#include "memgauge/explain/memory_history.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "memgauge/explain/lifetimes.h"

namespace molgauge::allocator {
namespace {

constexpr std::size_t kPoints = 600, kStates = 48, kPhases = 400;

/// Converts the times of events to seconds since the first known time.
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

/// The indices of the largest holders, at most as many as readers can tell apart by colour.
std::vector<std::uint32_t> largest(const std::vector<std::uint64_t>& held) {
  constexpr std::size_t own_series = 6;
  std::vector<std::uint32_t> order(held.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t left, std::uint32_t right) { return held[left] > held[right]; });
  order.resize(std::min(order.size(), own_series));
  return order;
}

}  // namespace

std::vector<SegmentGroup> group_segments(const std::vector<SegmentPicture>& segments,
                                         const std::vector<std::uint32_t>& series_of, std::size_t series) {
  using GroupKey = std::tuple<std::string, bool, std::uint64_t, std::uint64_t>;
  std::map<GroupKey, SegmentGroup> groups;
  for (const auto& segment : segments) {
    std::uint64_t used = 0;
    for (const auto& block : segment.blocks) {
      used += block.state == BlockState::free ? 0 : block.bytes;
    }
    const std::uint64_t tenths = segment.reserved == 0 ? 0 : used / (segment.reserved / 10 + 1);
    SegmentGroup& group = groups[GroupKey(segment.pool, segment.is_expandable, segment.reserved, tenths)];
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
  sorted.reserve(groups.size());
  for (auto& [key, group] : groups) {
    sorted.push_back(std::move(group));
  }
  const auto reserved = [](const SegmentGroup& group) { return group.segment_bytes * group.count; };
  std::stable_sort(sorted.begin(), sorted.end(), [&](const SegmentGroup& left, const SegmentGroup& right) {
    return reserved(left) > reserved(right);
  });
  return sorted;
}

HistoryRecorder::HistoryRecorder(const Recording& recording, std::size_t moment,
                                 const std::vector<MemoryRole>& roles)
    : recording_(recording), roles_(roles), moment_(moment), lifetimes_(lifetimes_of(recording)) {
  std::vector<std::uint64_t> held(recording_.origins.size(), 0);
  for (const auto& lifetime : lifetimes_) {
    held[lifetime.origin] += lifetime.lives_after(moment) ? lifetime.bytes : 0;
  }
  see_by_stack(held);
}

void HistoryRecorder::see_by_stack(const std::vector<std::uint64_t>& held) {
  const auto order = largest(held);
  series_of_.assign(held.size(), static_cast<std::uint32_t>(order.size()));
  for (const std::uint32_t origin : order) {
    series_of_[origin] = static_cast<std::uint32_t>(series_.size());
    series_.push_back({recording_.origins[origin], stack_of(recording_, origin).frames});
  }
  series_.push_back({"all others", {}});
}

/// The view by the phases in which memory was allocated. Only the two outermost phases are distinguished.
HistoryView HistoryRecorder::view_by_phase() const {
  std::vector<std::string> names{kNoPhase};
  std::map<std::string, std::uint32_t> numbers{{names.front(), 0}};
  std::vector<std::uint32_t> open, phase_of(recording_.allocations, 0);
  std::uint32_t now = 0;
  for (const auto& event : recording_.events) {
    if (event.kind == EventKind::allocate) {
      phase_of[event.allocation] = now;
      continue;
    }
    if (event.kind == EventKind::begin_phase) {
      open.push_back(event.origin);
    } else if (event.kind == EventKind::end_phase && !open.empty()) {
      open.pop_back();
    } else {
      continue;
    }
    std::string name = open.empty() ? names.front() : recording_.origins[open[0]];
    name += open.size() > 1 ? " / " + recording_.origins[open[1]] : "";
    const auto [entry, is_new] =
        numbers.try_emplace(std::move(name), static_cast<std::uint32_t>(names.size()));
    if (is_new) {
      names.push_back(entry->first);
    }
    now = entry->second;
  }
  HistoryView view{"phase", {}, {}};
  if (names.size() < 2) {
    return view;
  }
  std::vector<std::uint64_t> held(names.size(), 0);
  for (std::size_t i = 0; i < lifetimes_.size(); ++i) {
    held[phase_of[i]] += lifetimes_[i].lives_after(moment_) ? lifetimes_[i].bytes : 0;
  }
  const auto order = largest(held);
  std::vector<std::uint32_t> series_of(names.size(), static_cast<std::uint32_t>(order.size()));
  for (const std::uint32_t phase : order) {
    series_of[phase] = static_cast<std::uint32_t>(view.series.size());
    view.series.push_back({names[phase], {}});
  }
  view.series.push_back({"all others", {}});
  for (auto& phase : phase_of) {
    phase = series_of[phase];
  }
  view.points = points(phase_of, view.series.size());
  return view;
}

HistoryView HistoryRecorder::view_by_role() const {
  HistoryView view{"role", {}, {}};
  for (std::size_t role = 0; role < kRoles; ++role) {
    view.series.push_back({name_of(MemoryRole(role)), {}});
  }
  std::vector<std::uint32_t> series_of;
  for (const MemoryRole role : roles_) {
    series_of.push_back(static_cast<std::uint32_t>(role));
  }
  view.points = points(series_of, view.series.size());
  return view;
}

std::vector<HistoryPoint> HistoryRecorder::points(const std::vector<std::uint32_t>& series_of_allocation,
                                                  std::size_t series) const {
  Clock clock(recording_);
  std::vector<HistoryPoint> made;
  std::vector<std::uint64_t> held(series, 0), highest(held);
  std::uint64_t live = 0, most = 0;
  std::size_t highest_event = 0, stretch = 0;
  const auto ends = even_stretches(recording_.events.size(), kPoints);
  for (std::size_t i = 0; i < recording_.events.size(); ++i) {
    const MemoryEvent& event = recording_.events[i];
    const bool dies = event.kind == EventKind::free || event.kind == EventKind::request_free;
    if (event.kind == EventKind::allocate || dies) {
      const std::uint64_t bytes = lifetimes_[event.allocation].bytes;
      auto& here = held[series_of_allocation[event.allocation]];
      here = dies ? here - bytes : here + bytes;
      live = dies ? live - bytes : live + bytes;
    }
    // Stores the peak of each interval, so that no peak between two points of the curve is lost.
    if (live >= most) {
      most = live;
      highest = held;
      highest_event = i;
    }
    if (stretch < ends.size() && i == ends[stretch]) {
      made.push_back({highest_event, clock.seconds(highest_event), highest});
      most = 0;
      ++stretch;
    }
  }
  return made;
}

MemoryHistory HistoryRecorder::history() const {
  MemoryHistory history;
  history.phases = phases_of(recording_);
  history.has_times = Clock(recording_).is_known();
  std::vector<std::uint32_t> by_stack;
  for (const auto& lifetime : lifetimes_) {
    by_stack.push_back(series_of_[lifetime.origin]);
  }
  history.views.push_back({"stack", series_, points(by_stack, series_.size())});
  if (HistoryView by_phase = view_by_phase(); !by_phase.series.empty()) {
    history.views.push_back(std::move(by_phase));
  }
  if (!recording_.stacks.empty()) {
    history.views.push_back(view_by_role());
  }
  return history;
}

std::vector<StateAt> HistoryRecorder::states(ReplayOptions options, std::size_t events) const {
  std::vector<std::uint32_t> origins(recording_.allocations, 0);
  for (const auto& made : recording_.events) {
    if (made.kind == EventKind::allocate) {
      origins[made.allocation] = made.origin;
    }
  }
  const auto moments = even_stretches(events, kStates);
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

}  // namespace molgauge::allocator
