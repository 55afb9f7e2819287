#pragma once

#include <string>
#include <vector>

#include "memgauge/explain/memory_history.h"
#include "memgauge/recordings/recording.h"
#include "memgauge/recordings/replay.h"
#include "memgauge/simulator/allocator_state.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// An explanation, and additional data for its page.
struct ExplainedMemory {
  MemoryExplanation explanation;
  std::vector<SegmentPicture> segments = {};  ///< segments at the explained moment
  MemoryHistory history = {};                 ///< filled in if a page is requested
};

/// Returns the device number in the request, or nothing for "auto" and "all".
std::optional<std::size_t> named_device(const ExplainMemoryRequest& request);

/// Explains why the recorded program ran out of memory, or reserved more than it used. Finds changes that
/// prevent this. Figures and cures come from simulations with the settings and the card of `request`. If
/// `request` does not contain them, the recorded settings and card are used. Throws UsageError for invalid
/// settings.
ExplainedMemory explain(const Recording& recording, const ExplainMemoryRequest& request);

/// Explains the devices of a snapshot or the ranks of a run, and compares them with each other. Explains all
/// devices if the request says so. Otherwise explains one device: the requested device. If no device is
/// requested, this is the first device that ran out of memory, or the first device if none did.
std::vector<ExplainedMemory> explain(const std::vector<Recording>& recordings,
                                     const ExplainMemoryRequest& request);

/// Settings and card of a simulation. If the request does not contain them, they come from the recording.
/// `notes` lists settings that were missing or could not be used.
struct SimulationSetup {
  std::string settings_text;
  AllocatorSettings settings;
  std::uint64_t capacity = DeviceMemory::kUnlimited;  ///< bytes that the process can reserve
  std::optional<std::uint64_t> card;                  ///< bytes of the whole card, if the user gave its size
  bool as_recorded = true;  ///< whether settings and card are as in the recorded program
  std::vector<std::string> notes;
};
SimulationSetup simulation_setup(const Recording& recording, const std::optional<std::string>& settings,
                                 std::optional<std::uint64_t> capacity);

/// The public form of a timeline.
std::vector<MemoryTimelinePoint> public_points(const std::vector<TimelinePoint>& timeline);
MemoryRunOut public_run_out(const Recording& recording, const OutOfMemoryEvent& run_out);

}  // namespace molgauge::allocator
