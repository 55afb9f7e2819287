#include "memgauge/explain/holders.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace molgauge::allocator {

std::vector<std::uint32_t> count_holders(const Recording& recording,
                                         const std::vector<SegmentPicture>& segments,
                                         MemoryExplanation& explanation) {
  std::map<std::tuple<std::uint32_t, bool, std::string>, MemoryHolder> found;
  for (const auto& segment : segments) {
    for (const auto& block : segment.blocks) {
      if (block.state == BlockState::free) {
        continue;
      }
      const bool pending = block.state == BlockState::pending;
      MemoryHolder& holder = found[{block.origin, pending, segment.pool}];
      holder.bytes += explanation.on_cpu ? block.requested : block.bytes;
      ++holder.blocks;
      if (pending) {
        explanation.moment.pending_bytes += block.bytes;
      } else {
        explanation.requested_live_bytes += block.requested;
      }
    }
  }
  std::vector<std::uint32_t> origins;
  for (auto& [key, holder] : found) {
    const auto& [origin, pending, pool] = key;
    const StackSummary& stack = stack_of(recording, origin);
    holder.origin = recording.origins[origin];
    holder.operation = stack.operation;
    holder.frames = stack.frames;
    holder.pending = pending;
    holder.pool = pool;
    explanation.holders.push_back(std::move(holder));
    origins.push_back(origin);
  }
  return origins;
}

std::vector<MemoryOfPool> recorded_pools(const Recording& recording) {
  std::map<std::string, MemoryOfPool> pools;
  for (const auto& segment : recording.recorded_segments) {
    if (segment.pool.empty()) {
      continue;
    }
    MemoryOfPool& pool = pools[segment.pool];
    pool.name = segment.pool;
    ++pool.segments;
    pool.reserved_bytes += segment.reserved;
    for (const auto& block : segment.blocks) {
      pool.in_use_bytes += block.state == BlockState::allocated ? block.bytes : 0;
      pool.pending_bytes += block.state == BlockState::pending ? block.bytes : 0;
    }
  }
  std::vector<MemoryOfPool> found;
  found.reserve(pools.size());
  for (auto& [name, pool] : pools) {
    found.push_back(std::move(pool));
  }
  return found;
}

void name_roles(const HolderEvidence& evidence, MemoryExplanation& explanation) {
  struct Bytes {
    std::array<std::uint64_t, kRoles> of_role{};
    std::array<std::uint64_t, kRoles> certain{};
  };
  const auto& lifetimes = evidence.lifetimes;
  std::map<std::uint32_t, Bytes> bytes;
  for (std::size_t i = 0; i < lifetimes.size(); ++i) {
    if (lifetimes[i].lives_after(explanation.moment.event) || !evidence.recording.has_history()) {
      const auto role = static_cast<std::size_t>(evidence.roles.of[i]);
      auto& held = bytes[lifetimes[i].origin];
      held.of_role.at(role) += lifetimes[i].bytes;
      held.certain.at(role) += evidence.roles.certainty[i] == RoleCertainty::certain ? lifetimes[i].bytes : 0;
    }
  }
  for (std::size_t i = 0; i < explanation.holders.size(); ++i) {
    const auto& held = bytes[evidence.origins[i]];
    const auto most = std::max_element(held.of_role.begin(), held.of_role.end());
    const auto role = static_cast<std::size_t>(most - held.of_role.begin());
    auto& holder = explanation.holders[i];
    holder.role = *most == 0 ? MemoryRole::unknown : MemoryRole(role);
    holder.certainty = holder.role == MemoryRole::unknown   ? RoleCertainty::unknown
                       : held.certain.at(role) * 2 >= *most ? RoleCertainty::certain
                                                            : RoleCertainty::likely;
  }
  std::stable_sort(
      explanation.holders.begin(), explanation.holders.end(),
      [](const MemoryHolder& left, const MemoryHolder& right) { return left.bytes > right.bytes; });
}

}  // namespace molgauge::allocator
