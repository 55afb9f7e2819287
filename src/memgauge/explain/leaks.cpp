#include "memgauge/explain/leaks.h"

#include <algorithm>
#include <map>
#include <set>

namespace molgauge::allocator {
namespace {

constexpr long kMinIterations = 3;
constexpr std::uint64_t kSmallestShare = 500;  ///< a leak must hold at least 1/500 of the memory in use

}  // namespace

std::vector<MemoryLeak> leaks_of(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                 const Iterations& iterations, std::size_t event, std::size_t last) {
  const long now = iterations.of(event);
  if (now < kMinIterations) {
    return {};
  }
  struct Kept {
    std::set<long> iterations;
    std::uint64_t bytes = 0;
  };
  std::map<std::uint32_t, Kept> kept;
  for (const auto& lifetime : lifetimes) {
    const long iteration = lifetime.resident ? -1 : iterations.of(lifetime.born);
    // Memory of the current iteration may still be freed. Memory from before the first iteration is
    // permanent.
    if (iteration >= 0 && iteration < now && lifetime.lives_after(last)) {
      Kept& here = kept[lifetime.origin];
      here.iterations.insert(iteration);
      here.bytes += lifetime.bytes;
    }
  }
  const std::uint64_t worth_saying = live_after(lifetimes, event) / kSmallestShare;
  std::vector<MemoryLeak> leaks;
  for (const auto& [origin, here] : kept) {
    const long missing = now - static_cast<long>(here.iterations.size());
    if (static_cast<long>(here.iterations.size()) < kMinIterations || here.bytes < worth_saying ||
        missing > 1 + now / 10) {
      continue;
    }
    MemoryLeak leak;
    leak.origin = recording.origins[origin];
    leak.frames = stack_of(recording, origin).frames;
    leak.iterations = here.iterations.size();
    leak.bytes = here.bytes;
    leak.bytes_per_iteration = here.bytes / here.iterations.size();
    leaks.push_back(std::move(leak));
  }
  std::stable_sort(leaks.begin(), leaks.end(),
                   [](const MemoryLeak& left, const MemoryLeak& right) { return left.bytes > right.bytes; });
  return leaks;
}

}  // namespace molgauge::allocator
