#include "memory/allocator/explain/agreement.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace headroom::allocator {
namespace {

/// Segments without their addresses, which the driver chooses, sorted.
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

class Comparison {
 public:
  explicit Comparison(const Recording& recording) : recording_(recording) {
    recorded_ = recording.recorded_reserve ? recording.recorded_reserve->bytes_at_start : 0;
  }

  void after(std::size_t event, const CachingAllocator& allocator) {
    const auto& changes = recording_.reserve_changes;
    for (; next_ < changes.size() && changes[next_].event <= event; ++next_) {
      recorded_ = changes[next_].bytes;
    }
    const EventKind kind = recording_.events[event].kind;
    if (event < recording_.residents || kind == EventKind::begin_phase || kind == EventKind::end_phase) {
      return;
    }
    const std::uint64_t simulated = allocator.statistics().reserved.now;
    ++agreement_.compared_events;
    if (simulated != recorded_) {
      if (agreement_.different_events++ == 0) {
        agreement_.first_different_event = event;
      }
    }
  }

  SimulationAgreement agreement() const { return agreement_; }

 private:
  const Recording& recording_;
  SimulationAgreement agreement_;
  std::size_t next_ = 0;
  std::uint64_t recorded_ = 0;
};

}  // namespace

SimulationAgreement agreement_with(const Recording& recording, ReplayOptions card) {
  if (!recording.recorded_reserve || !recording.has_history()) {
    return {};
  }
  Comparison comparison(recording);
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

}  // namespace headroom::allocator
