#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "headroom/memory_explanation.h"
#include "memory/allocator/recordings/recording.h"
#include "memory/allocator/recordings/replay.h"

namespace headroom::allocator {

/// Compares the bytes that a replay reserves with the bytes that the real allocator had reserved, after every
/// request and every free. Call after() after each event, in order.
class ReserveComparison {
 public:
  /// `watched`: an event. The difference at this event is stored, too.
  explicit ReserveComparison(const Recording& recording, std::optional<std::size_t> watched = {});

  void after(std::size_t event, const CachingAllocator& allocator);

  /// The agreement of the reserved bytes, without peaks and blocks.
  const SimulationAgreement& agreement() const { return agreement_; }
  bool differs_at_watched() const { return differs_at_watched_; }

 private:
  const Recording& recording_;
  std::optional<std::size_t> watched_;
  SimulationAgreement agreement_;
  std::size_t next_ = 0;
  std::uint64_t recorded_ = 0;
  bool differs_at_watched_ = false;
};

/// Compares the reserved bytes of a replay with the recording, event by event, and the blocks of both at the
/// end. The replay uses the recorded settings. `card`: settings and capacity of the recorded program. If
/// segments are not recorded, compared_events is 0.
SimulationAgreement agreement_with(const Recording& recording, ReplayOptions card);

/// The peak of a replay counts as the same if it differs by at most this share of the recorded peak. A
/// difference of 1 % cannot turn a change into a cure, because a cure saves at least 5 %.
inline constexpr double kSamePeak = 0.01;

/// Whether a replay under the recorded settings reproduces the recorded program: the peak is the same, and
/// the same request fails with the same reserved memory. Only then can other replays be compared with the
/// recording.
MemoryBaseline baseline_of(const Recording& recording, const ReplayResult& result,
                           const ReserveComparison& comparison);

/// A note for a failure at `event` of the recorded program that the simulation does not reproduce.
std::string missing_failure(std::size_t event);

}  // namespace headroom::allocator
