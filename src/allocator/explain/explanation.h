#pragma once

#include <string>
#include <vector>

#include "allocator/explain/memory_history.h"
#include "allocator/recordings/recording.h"
#include "allocator/recordings/replay.h"
#include "allocator/simulator/allocator_state.h"
#include "headroom/memory_explanation.h"

namespace headroom::allocator {

/// An explanation, and what a page draws besides it.
struct ExplainedMemory {
  MemoryExplanation explanation;
  std::vector<SegmentPicture> segments;  ///< at the moment that is explained
  MemoryHistory history;                 ///< where a page is asked for
};

/// Why the recorded program ran out of memory, or reserved more than it used, with what would have cured it.
/// Every figure and every cure comes from a simulation; `request` may ask for other settings and another card
/// than the recorded ones. Throws UsageError for settings that cannot be read.
ExplainedMemory explain(const Recording& recording, const ExplainMemoryRequest& request);

/// The same for the devices of a snapshot and the ranks of a run, which are compared with each other. Without
/// request.all_devices only the most interesting of them: the first, unless memory ran out on another alone.
std::vector<ExplainedMemory> explain(const std::vector<Recording>& recordings,
                                     const ExplainMemoryRequest& request);

/// Settings and card of a simulation: those asked for, else those recorded. Says in `notes` what was missing
/// or could not be used.
struct SimulationSetup {
  std::string settings_text;
  AllocatorSettings settings;
  std::uint64_t capacity = DeviceMemory::kUnlimited;
  bool as_recorded = true;  ///< neither settings nor a card that the recorded program did not have
  std::vector<std::string> notes;
};
SimulationSetup simulation_setup(const Recording& recording, const std::optional<std::string>& settings,
                                 std::optional<std::uint64_t> capacity);

/// The public form of a timeline point.
MemoryTimelinePoint public_point(const TimelinePoint& point);
MemoryRunOut public_run_out(const Recording& recording, const RunOut& run_out);

}  // namespace headroom::allocator
