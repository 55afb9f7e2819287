#include "memgauge/explain/lifetimes.h"

#include <algorithm>
#include <utility>

namespace molgauge::allocator {
namespace {

using SizeOfAllocation = std::function<std::uint64_t(std::size_t)>;

/// Calls `after_event(event, live bytes)` for each event before `end`.
void follow_live_bytes(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                       const SizeOfAllocation& size_of, std::size_t end, const auto& after_event) {
  std::uint64_t live = 0;
  for (std::size_t i = 0; i < std::min(end, recording.events.size()); ++i) {
    const MemoryEvent& event = recording.events[i];
    if (event.kind == EventKind::allocate) {
      live += size_of(event.allocation);
    } else if ((event.kind == EventKind::free || event.kind == EventKind::request_free) &&
               lifetimes[event.allocation].died == i) {
      live -= size_of(event.allocation);
    }
    after_event(i, live);
  }
}

SizeOfAllocation requested_sizes(const std::vector<Lifetime>& lifetimes) {
  return [&](std::size_t allocation) { return lifetimes[allocation].bytes; };
}

}  // namespace

std::vector<Lifetime> lifetimes_of(const Recording& recording) {
  std::vector<Lifetime> lifetimes(recording.allocations);
  const std::size_t last = std::min<std::size_t>(recording.events.size(), Lifetime::kNever);
  for (std::size_t i = 0; i < last; ++i) {
    const MemoryEvent& event = recording.events[i];
    if (event.kind == EventKind::allocate) {
      lifetimes[event.allocation] = {event.bytes, static_cast<std::uint32_t>(i), Lifetime::kNever,
                                     event.origin, i < recording.residents};
    } else if (event.kind == EventKind::free || event.kind == EventKind::request_free) {
      lifetimes[event.allocation].died = static_cast<std::uint32_t>(i);
    }
  }
  return lifetimes;
}

LivePeak live_peak(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                   const SizeOfAllocation& size_of, std::size_t end) {
  LivePeak peak;
  follow_live_bytes(recording, lifetimes, size_of, end, [&](std::size_t event, std::uint64_t live) {
    if (live > peak.bytes) {
      peak = {event, live};
    }
  });
  return peak;
}

LivePeak live_peak(const Recording& recording, const std::vector<Lifetime>& lifetimes) {
  return live_peak(recording, lifetimes, requested_sizes(lifetimes));
}

std::vector<LivePeak> live_peaks(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                 const std::vector<std::size_t>& ends) {
  std::vector<LivePeak> peaks;
  if (ends.empty()) {
    return peaks;
  }
  LivePeak peak;
  follow_live_bytes(recording, lifetimes, requested_sizes(lifetimes), ends.back() + 1,
                    [&](std::size_t event, std::uint64_t live) {
                      if (live > peak.bytes) {
                        peak = {event, live};
                      }
                      if (event == ends[peaks.size()]) {
                        peaks.push_back(std::exchange(peak, LivePeak()));
                      }
                    });
  return peaks;
}

std::uint64_t live_after(const std::vector<Lifetime>& lifetimes, std::size_t event) {
  std::uint64_t live = 0;
  for (const auto& lifetime : lifetimes) {
    live += lifetime.lives_after(event) ? lifetime.bytes : 0;
  }
  return live;
}

const StackSummary& stack_of(const Recording& recording, std::uint32_t origin) {
  static const StackSummary none;
  return origin < recording.stacks.size() ? recording.stacks[origin] : none;
}

}  // namespace molgauge::allocator
