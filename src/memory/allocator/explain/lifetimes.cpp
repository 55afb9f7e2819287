#include "memory/allocator/explain/lifetimes.h"

#include <algorithm>

namespace headroom::allocator {

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
                   const std::function<std::uint64_t(std::size_t)>& size_of, std::size_t end) {
  LivePeak peak;
  std::uint64_t live = 0;
  for (std::size_t i = 0; i < std::min(end, recording.events.size()); ++i) {
    const MemoryEvent& event = recording.events[i];
    if (event.kind == EventKind::allocate) {
      live += size_of(event.allocation);
    } else if ((event.kind == EventKind::free || event.kind == EventKind::request_free) &&
               lifetimes[event.allocation].died == i) {
      live -= size_of(event.allocation);
    }
    if (live > peak.bytes) {
      peak = {i, live};
    }
  }
  return peak;
}

LivePeak live_peak(const Recording& recording, const std::vector<Lifetime>& lifetimes) {
  return live_peak(recording, lifetimes, [&](std::size_t allocation) { return lifetimes[allocation].bytes; });
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

}  // namespace headroom::allocator
