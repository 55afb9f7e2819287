#include <fmt/format.h>

#include "allocator/explain/explanation.h"
#include "allocator/recordings/recorded_phases.h"
#include "core/error.h"

namespace headroom::allocator {
namespace {

void note_gaps(const Recording& recording, std::vector<std::string>& notes) {
  if (!recording.is_complete) {
    notes.emplace_back("the recording was cut off; what is whole was read");
  }
  if (recording.events_dropped > 0) {
    notes.push_back(
        fmt::format("the ring buffer dropped {} events before the first one", recording.events_dropped));
  }
  if (recording.residents > 0) {
    notes.push_back(
        fmt::format("blocks that lived before the recording began: {}; they are laid out anew, so gaps "
                    "between them are not seen",
                    recording.residents));
  }
}

}  // namespace

SimulationSetup simulation_setup(const Recording& recording, const std::optional<std::string>& settings,
                                 std::optional<std::uint64_t> capacity) {
  SimulationSetup setup;
  note_gaps(recording, setup.notes);
  setup.settings_text = settings.value_or(recording.settings);
  try {
    setup.settings = parse_allocator_settings(setup.settings_text);
  } catch (const UsageError& error) {
    if (settings) {
      throw;
    }
    setup.notes.push_back(fmt::format("the recorded settings '{}' are not simulated ({}); the defaults are",
                                      recording.settings, error.what()));
    setup.settings_text.clear();
  }
  for (const auto& key : setup.settings.without_effect) {
    setup.notes.push_back(fmt::format("the setting {} changes nothing in a simulation", key));
  }
  if (capacity || recording.capacity) {
    setup.capacity = capacity ? *capacity : *recording.capacity;
  } else if (!recording.is_of_cpu) {
    setup.notes.emplace_back("the card's size is not recorded; without --capacity memory never runs out");
  }
  return setup;
}

MemoryTimelinePoint public_point(const TimelinePoint& point) {
  return {point.event,       point.reserved,      point.allocated,
          point.idle.cached, point.idle.stranded, point.idle.largest};
}

MemoryRunOut public_run_out(const Recording& recording, const RunOut& run_out) {
  return {run_out.event,         who_asks(recording, run_out.event),
          run_out.requested,     run_out.allocated,
          run_out.reserved,      run_out.device_free,
          run_out.idle.stranded, run_out.idle.largest};
}

}  // namespace headroom::allocator
