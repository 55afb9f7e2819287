#include "memgauge/explain/agreement.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/core/text/bytes.h"

namespace molgauge::allocator {
namespace {

/// Returns descriptions of the segments, sorted. They do not contain addresses, because the driver chooses
/// the addresses.
std::vector<std::string> outlines(const std::vector<SegmentPicture>& segments) {
  std::vector<std::string> all;
  for (const auto& segment : segments) {
    std::string& text = all.emplace_back();
    for (const auto& block : segment.blocks) {
      text += fmt::format("{}{} ", block.bytes, block.state == BlockState::free ? "-" : "+");
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::string deviation(const Recording& recording, const MemoryBaseline& baseline) {
  std::string reason = fmt::format(
      "with the recorded settings, the simulation reserves up to {}, but the recorded program reserved {}",
      format_bytes(baseline.peak_reserved_bytes), format_bytes(baseline.recorded_peak_reserved_bytes));
  return recording.start_unknown.empty()
             ? reason
             : fmt::format("{}, because the state at the beginning is unknown ({})", reason,
                           recording.start_unknown);
}

}  // namespace

ReserveComparison::ReserveComparison(const Recording& recording, std::optional<std::size_t> watched)
    : recording_(recording),
      watched_(watched),
      recorded_(recording.recorded_reserve ? recording.recorded_reserve->bytes_at_start : 0) {}

void ReserveComparison::after(std::size_t event, const CachingAllocator& allocator) {
  const auto& changes = recording_.reserve_changes;
  for (; next_ < changes.size() && changes[next_].event <= event; ++next_) {
    recorded_ = changes[next_].bytes;
  }
  const EventKind kind = recording_.events[event].kind;
  if (event < recording_.residents || kind == EventKind::begin_phase || kind == EventKind::end_phase) {
    return;
  }
  ++agreement_.compared_events;
  if (allocator.statistics().reserved.now == recorded_) {
    return;
  }
  if (agreement_.different_events++ == 0) {
    agreement_.first_different_event = event;
  }
  differs_at_watched_ = differs_at_watched_ || event == watched_;
}

SimulationAgreement agreement_with(const Recording& recording, ReplayOptions card) {
  if (!recording.recorded_reserve || !recording.has_history()) {
    return {};
  }
  ReserveComparison comparison(recording);
  card.stretch_ends.clear();
  card.after_event = [&](std::size_t event, const CachingAllocator& allocator) {
    comparison.after(event, allocator);
  };
  const ReplayResult result = replay(recording, card);
  SimulationAgreement agreement = comparison.agreement();
  agreement.simulated_peak_bytes = result.statistics.reserved.peak;
  agreement.recorded_peak_bytes = recording.recorded_reserve->peak_bytes;
  card.after_event = nullptr;
  agreement.same_blocks_at_end =
      outlines(picture_at(recording, card, recording.events.size())) == outlines(recording.recorded_segments);
  return agreement;
}

MemoryBaseline baseline_of(const Recording& recording, const ReplayResult& result,
                           const ReserveComparison& comparison) {
  MemoryBaseline baseline;
  baseline.peak_reserved_bytes = result.statistics.reserved.peak;
  baseline.recorded_peak_reserved_bytes = recording.recorded_reserve->peak_bytes;
  baseline.compared_events = comparison.agreement().compared_events;
  baseline.different_events = comparison.agreement().different_events;
  const auto recorded = static_cast<double>(baseline.recorded_peak_reserved_bytes);
  const double off = std::abs(static_cast<double>(baseline.peak_reserved_bytes) - recorded);
  if (off > kSamePeak * recorded) {
    baseline.reason = deviation(recording, baseline);
  } else if (recording.failure && !result.run_out) {
    baseline.reason = missing_failure(recording.failure->event);
  } else if (recording.failure && result.run_out->event != recording.failure->event) {
    baseline.reason =
        fmt::format("the recorded program ran out of memory at event {}, and the simulation at event {}",
                    recording.failure->event, result.run_out->event);
  } else if (recording.failure && comparison.differs_at_watched()) {
    baseline.reason =
        fmt::format("when memory ran out, the simulation had {} reserved and the recorded program {}",
                    format_bytes(result.run_out->reserved), format_bytes(recording.failure->reserved));
  } else if (!recording.failure && result.run_out) {
    baseline.reason =
        fmt::format("the simulation runs out of memory at event {}, but the recorded program did not",
                    result.run_out->event);
  }
  baseline.reproduces = baseline.reason.empty();
  return baseline;
}

std::string missing_failure(std::size_t event) {
  return fmt::format(
      "the recorded program ran out of memory at event {}, but the simulation did not: memory outside this "
      "allocator was in use, or the state at the beginning was different",
      event);
}

}  // namespace molgauge::allocator
