#include "memgauge/recordings/release_bursts.h"

#include <algorithm>

namespace molgauge::allocator {
namespace {

constexpr std::uint64_t kNoCard = std::uint64_t{1} << 50;  // no card has a pebibyte

}  // namespace

ReleaseBursts::ReleaseBursts(const SnapshotTables& tables, const std::vector<SnapshotValue>& trace,
                             std::uint64_t reserved_at_start, std::uint64_t peak_reserved,
                             const AllocatorSettings& settings)
    : tables_(tables) {
  const bool requests_release_parts =
      settings.garbage_collection_threshold > 0 || settings.max_split_bytes != AllocatorSettings::kUnlimited;
  std::uint64_t reserved = reserved_at_start, reserved_before = 0;
  bool is_open = false, is_named = false;
  for (std::size_t i = 0; i <= trace.size(); ++i) {
    const TraceRow* const row = i < trace.size() ? tables.event(trace[i]) : nullptr;
    const Word action = row == nullptr ? Word::count : action_of(*row);
    if (action == Word::segment_free || action == Word::segment_unmap) {
      if (!is_open) {
        reserved_before = reserved;
      }
      is_open = true;
      is_named = is_named || names_empty_cache(row->frames);
    } else if (is_open) {
      const bool gets_memory = action == Word::segment_alloc || action == Word::segment_map;
      const bool wants_memory = !is_named && (gets_memory || action == Word::oom);
      const std::uint64_t wanted = wants_memory ? reserved_before + row->bytes : 0;
      if (wants_memory && gets_memory && requests_release_parts) {
        add(i, ReleaseReason::request);
      } else if (wanted > peak_reserved) {
        add(i, ReleaseReason::retry);
        if (action == Word::segment_alloc && wanted < kNoCard) {
          most_capacity_ = std::min(most_capacity_.value_or(wanted - 1), wanted - 1);
        }
      } else {
        add(i, ReleaseReason::empty_cache);
      }
      is_open = is_named = false;
    }
    reserved += row == nullptr ? 0 : reserve_change(*row);
  }
}

void ReleaseBursts::add(std::size_t index, ReleaseReason reason) {
  bursts_.emplace(index, reason);
  retries_ += reason == ReleaseReason::retry ? 1 : 0;
  calls_of_empty_cache_ += reason == ReleaseReason::empty_cache ? 1 : 0;
}

std::optional<ReleaseReason> ReleaseBursts::ended_before(std::size_t index) const {
  const auto found = bursts_.find(index);
  return found == bursts_.end() ? std::nullopt : std::optional(found->second);
}

bool ReleaseBursts::names_empty_cache(std::uint32_t frames) {
  for (const auto& item : tables_.items(frames)) {
    const auto [entry, is_new] = frame_names_empty_cache_.try_emplace(item.bits, false);
    if (is_new) {
      if (const FrameRow* frame = tables_.frame(item)) {
        const std::string_view name = tables_.text_of(frame->name);
        entry->second = name == "empty_cache" || name.find("::emptyCache(") != std::string_view::npos;
      }
    }
    if (entry->second) {
      return true;
    }
  }
  return false;
}

}  // namespace molgauge::allocator
