#pragma once

#include <string>
#include <vector>

#include "allocator/simulator/allocator_state.h"
#include "allocator/recordings/recording.h"
#include "allocator/recordings/replay.h"
#include "headroom/memory_explanation.h"

namespace headroom::allocator {

/// An explanation, and what a page draws besides it.
struct ExplainedMemory {
  MemoryExplanation explanation;
  std::vector<SegmentPicture> segments;  ///< at the moment that is explained
  std::vector<std::string> origins;      ///< BlockPicture::origin points into it
};

/// Why the recorded program ran out of memory, or reserved more than it used, with what would have cured it.
/// Every figure and every cure comes from a simulation; `request` may ask for other settings and another card
/// than the recorded ones. Throws UsageError for settings that cannot be read.
ExplainedMemory explain(const Recording& recording, const ExplainMemoryRequest& request);

/// Settings and card of a simulation: those asked for, else those recorded. Says in `notes` what was missing
/// or could not be used.
struct SimulationSetup {
  std::string settings_text;
  AllocatorSettings settings;
  std::uint64_t capacity = DeviceMemory::kUnlimited;
  std::vector<std::string> notes;
};
SimulationSetup simulation_setup(const Recording& recording, const std::optional<std::string>& settings,
                                 std::optional<std::uint64_t> capacity);

/// The public form of a timeline point.
MemoryTimelinePoint public_point(const TimelinePoint& point);
MemoryRunOut public_run_out(const Recording& recording, const RunOut& run_out);

}  // namespace headroom::allocator
