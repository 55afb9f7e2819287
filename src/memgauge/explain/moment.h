#pragma once

#include <string>
#include <vector>

#include "memgauge/explain/subject.h"
#include "memgauge/recordings/replay.h"
#include "memgauge/simulator/allocator_state.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// The moment that is explained: a failure, or the peak if there is no failure.
struct ExplainedMoment {
  MemoryRunOut moment = {};
  std::vector<SegmentPicture> segments = {};
  std::vector<std::string> notes = {};
  bool is_recorded = false;     ///< the simulation deviates, so these are the recorded figures
  bool failed_in_fact = false;  ///< the recorded program ran out of memory, but the simulation did not
};

/// The moment of a program on a GPU. `result`: the simulation without changes. `reproduces`: whether it
/// reproduces the recording. If it does not, the recorded failure is explained. Otherwise, the failure in the
/// simulation has priority over the recorded failure.
ExplainedMoment simulated_moment(const Subject& subject, const ReplayResult& result, bool reproduces);

/// The moment of a snapshot without a history.
ExplainedMoment recorded_state(const Subject& subject);

/// The moment of a program on a CPU: sums of requested bytes, in one segment.
ExplainedMoment live_moment(const Subject& subject);

}  // namespace molgauge::allocator
