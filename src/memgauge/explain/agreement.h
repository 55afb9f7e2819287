#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "memgauge/recordings/recording.h"
#include "memgauge/recordings/replay.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// Compares the bytes that a replay reserves with the bytes that the real allocator had reserved, after every
/// request and every free. Call after() after each event, in order.
class ReserveComparison {
 public:
  /// If `watched` is given, differs_at_watched() tells whether the reserved bytes differ after this event.
  explicit ReserveComparison(const Recording& recording, std::optional<std::size_t> watched = {});

  void after(std::size_t event, const CachingAllocator& allocator);

  /// The comparison of the reserved bytes so far. Peaks and blocks are not filled in.
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

/// Replays the recording with the recorded settings, and compares the replay with the recording. Compares the
/// reserved bytes after each event, and the blocks at the end. `card`: settings and capacity of the recorded
/// program. If the recording contains no segments, compared_events is 0.
SimulationAgreement agreement_with(const Recording& recording, ReplayOptions card);

/// Two peaks count as equal if they differ by at most this share of the recorded peak. An error of 1 % cannot
/// make a useless change look like a cure, because a cure saves at least 5 %.
inline constexpr double kSamePeak = 0.01;

/// Tells whether a replay under the recorded settings reproduces the recorded program. The peaks must be
/// equal (kSamePeak), and the replay must run out of memory at the recorded event with equal reserved memory,
/// or not at all. Only then can other replays be compared with the recording.
MemoryBaseline baseline_of(const Recording& recording, const ReplayResult& result,
                           const ReserveComparison& comparison);

/// Returns a note that the simulation does not reproduce the recorded failure at `event`.
std::string missing_failure(std::size_t event);

}  // namespace molgauge::allocator
