#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "memgauge/explain/explanation.h"
#include "memgauge/explain/lifetimes.h"
#include "memgauge/recordings/recording.h"
#include "memgauge/recordings/replay.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// A recording that is explained, the request, and how a simulation of the program begins.
struct Subject {
  /// `all`: the recordings of the snapshot or of the run. `index`: the one to explain. Throws UsageError for
  /// invalid settings.
  Subject(const std::vector<Recording>& all, std::size_t index, const ExplainMemoryRequest& request);

  /// The event of the first request that failed in the recorded program.
  std::optional<std::size_t> recorded_failure() const;
  /// The event of the recorded failure, if the failure ended the work. This is the case if the program later
  /// requests fewer bytes in total than the failed request.
  std::optional<std::size_t> end_of_work() const;
  /// The number of bytes that the process may reserve.
  std::uint64_t allowed() const;
  /// Whether the recording is a snapshot of segments without their history.
  bool shows_segments_alone() const;
  /// Whether the recording is of a CPU and no GPU is asked for. The allocator of a CPU keeps no freed memory,
  /// so nothing is simulated.
  bool is_on_cpu() const;

  const std::vector<Recording>& all;
  const Recording& recording;
  const ExplainMemoryRequest& request;
  SimulationSetup setup;
  ReplayOptions options;  ///< of a simulation without changes. Its timeline has at most 400 points
  std::vector<Lifetime> lifetimes;
};

/// The facts about the recording and the simulated card, as the beginning of an explanation.
MemoryExplanation facts_of(const Subject& subject);

/// The sums of live requested bytes as a timeline. `ends`: the last event of each interval.
std::vector<MemoryTimelinePoint> live_points(const Subject& subject, const std::vector<std::size_t>& ends);

}  // namespace molgauge::allocator
