#include "memgauge/explain/replicas.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

namespace molgauge::allocator {
namespace {

/// If two recordings have at least this share of their requests in common, they are replicas.
constexpr double kSameWork = 0.5;
constexpr double kWorthSaying = 1.25;
constexpr std::size_t kMinMatched = 8;

using SizesByStack = std::unordered_map<std::string, std::vector<std::uint64_t>>;

/// Identifies a stack by name and frames, because its number differs between recordings.
std::string stack_key(const Recording& recording, std::uint32_t origin) {
  std::string key = recording.origins[origin];
  for (const auto& frame : stack_of(recording, origin).frames) {
    key += '\n' + frame;
  }
  return key;
}

SizesByStack requests_between(const Recording& recording, std::size_t begin, std::size_t end) {
  std::vector<std::vector<std::uint64_t>> sizes(recording.origins.size());
  for (std::size_t i = begin; i < std::min(end, recording.events.size()); ++i) {
    const MemoryEvent& event = recording.events[i];
    if (event.kind == EventKind::allocate || event.kind == EventKind::out_of_memory) {
      sizes[event.origin].push_back(event.bytes);
    }
  }
  SizesByStack by_stack;
  for (std::uint32_t origin = 0; origin < sizes.size(); ++origin) {
    if (!sizes[origin].empty()) {
      by_stack[stack_key(recording, origin)] = std::move(sizes[origin]);
    }
  }
  return by_stack;
}

std::optional<std::size_t> first_failure(const Recording& recording) {
  for (std::size_t i = 0; i < recording.events.size(); ++i) {
    if (recording.events[i].kind == EventKind::out_of_memory) {
      return i;
    }
  }
  return std::nullopt;
}

/// Extrapolates the memory to `ratio` times the input. Memory that does not follow the input stays the same.
MemoryExtrapolation extrapolated(std::string from, double ratio, std::uint64_t fixed, std::uint64_t peak,
                                 std::uint64_t capacity) {
  MemoryExtrapolation result;
  result.from = std::move(from);
  result.ratio = ratio;
  const double follows = ratio * static_cast<double>(peak - std::min(peak, fixed));
  result.needed_bytes = fixed + static_cast<std::uint64_t>(std::min(follows, 1e18));
  const auto room = static_cast<double>(capacity - std::min(capacity, fixed));
  result.share = follows > 0 ? std::min(1.0, room / follows) : 1.0;
  return result;
}

}  // namespace

Likeness likeness(const Recording& one, std::size_t one_begin, std::size_t one_end, const Recording& other,
                  std::size_t other_begin, std::size_t other_end) {
  const SizesByStack here = requests_between(one, one_begin, one_end);
  const SizesByStack there = requests_between(other, other_begin, other_end);
  Likeness found;
  // The key is 100 times the natural logarithm of the ratio, rounded.
  std::map<long, std::pair<std::uint64_t, double>> bytes_by_ratio;
  for (const auto& [stack, sizes] : here) {
    found.asked += sizes.size();
    const auto same = there.find(stack);
    if (same == there.end()) {
      continue;
    }
    const std::size_t pairs = std::min(sizes.size(), same->second.size());
    found.matched += pairs;
    for (std::size_t i = 0; i < pairs; ++i) {
      const std::uint64_t mine = sizes[i], its = same->second[i];
      if (mine == its) {
        found.equal_bytes += mine;
      } else if (mine > 0 && its > 0) {
        const double ratio = static_cast<double>(mine) / static_cast<double>(its);
        auto& [bytes, sum] = bytes_by_ratio[std::lround(std::log(ratio) * 100)];
        bytes += mine;
        sum += ratio * static_cast<double>(mine);
      }
    }
  }
  std::uint64_t most = 0;
  for (const auto& [step, entry] : bytes_by_ratio) {
    if (entry.first > most) {
      most = entry.first;
      found.ratio = entry.second / static_cast<double>(entry.first);
    }
  }
  return found;
}

std::optional<ReplicaFinding> compare_replicas(const std::vector<const Recording*>& recordings,
                                               const std::vector<std::string>& names,
                                               std::optional<std::size_t> failed, std::uint64_t capacity) {
  const Recording& explained = *recordings.front();
  const std::size_t end = failed ? *failed + 1 : explained.events.size();
  std::optional<ReplicaFinding> best;
  for (std::size_t i = 1; i < recordings.size(); ++i) {
    const Recording& other = *recordings[i];
    if (!other.has_history() || !explained.has_history() || first_failure(other)) {
      continue;
    }
    const Likeness found =
        likeness(explained, explained.residents, end, other, other.residents, other.events.size());
    const bool is_replica = found.matched >= kMinMatched && static_cast<double>(found.matched) >=
                                                                kSameWork * static_cast<double>(found.asked);
    const double ratio = failed ? found.ratio : std::max(found.ratio, 1 / found.ratio);
    if (!is_replica || ratio < kWorthSaying) {
      continue;
    }
    const LivePeak peak = live_peak(other, lifetimes_of(other));
    ReplicaFinding finding;
    const bool more_here = found.ratio >= 1;
    finding.imbalance = {more_here ? names[0] : names[i], more_here ? names[i] : names[0], ratio};
    if (failed && capacity > 0) {
      finding.extrapolation =
          extrapolated(names[i], found.ratio, std::min(found.equal_bytes, peak.bytes), peak.bytes, capacity);
    }
    // The ratio closest to 1 is the most reliable, because an extrapolation from a much smaller input is
    // uncertain.
    if (!best || finding.imbalance.ratio < best->imbalance.ratio) {
      best = finding;
    }
  }
  return best;
}

std::optional<MemoryExtrapolation> compare_iterations(const Recording& recording,
                                                      const std::vector<Lifetime>& lifetimes,
                                                      const Iterations& iterations, std::size_t failed,
                                                      std::uint64_t capacity) {
  const long number = iterations.of(failed);
  if (number < 1 || capacity == 0) {
    return std::nullopt;
  }
  const auto place = static_cast<std::size_t>(number);
  const std::size_t begin = iterations.starts[place], before = iterations.starts[place - 1];
  const Likeness found = likeness(recording, begin, failed + 1, recording, before, begin);
  if (found.matched * 2 < found.asked || found.ratio < kWorthSaying) {
    return std::nullopt;
  }
  const std::uint64_t fixed = begin == 0 ? 0 : live_after(lifetimes, begin - 1);
  const std::uint64_t lived = before == 0 ? 0 : live_after(lifetimes, before - 1);
  std::uint64_t live = lived, peak = lived;
  for (std::size_t i = before; i < begin; ++i) {
    const MemoryEvent& event = recording.events[i];
    if (event.kind == EventKind::allocate) {
      live += event.bytes;
      peak = std::max(peak, live);
    } else if (event.kind == EventKind::free || event.kind == EventKind::request_free) {
      live -= lifetimes[event.allocation].bytes;
    }
  }
  const std::uint64_t followed = peak - lived;
  return extrapolated("the previous iteration", found.ratio, fixed, fixed + followed, capacity);
}

}  // namespace molgauge::allocator
