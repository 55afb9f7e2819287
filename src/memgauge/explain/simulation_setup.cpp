#include <algorithm>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/text/bytes.h"
#include "base/core/text/counted.h"
#include "base/memory/trace/settings_text.h"
#include "memgauge/explain/explanation.h"
#include "memgauge/recordings/recorded_phases.h"

namespace molgauge::allocator {
namespace {

void note_gaps(const Recording& recording, std::vector<std::string>& notes) {
  notes.insert(notes.end(), recording.unknown_words.begin(), recording.unknown_words.end());
  if (!recording.is_complete) {
    notes.emplace_back("the recording is truncated. Its complete part was read");
  }
  if (recording.events_dropped > 0) {
    notes.push_back(
        fmt::format("the ring buffer dropped {} events before the first one", recording.events_dropped));
  }
  if (!recording.has_history()) {
    return;  // a snapshot without a history is shown as it is
  }
  if (!recording.start_segments.empty()) {
    std::uint64_t reserved = 0;
    for (const auto& segment : recording.start_segments) {
      reserved += segment.reserved;
    }
    notes.push_back(fmt::format(
        "the recording begins in the middle of the run, with {} reserved and {} in use. This state was "
        "reconstructed from the final segments by undoing the recorded events. Every simulation begins with "
        "it, so a setting takes effect from the beginning of the recording",
        format_bytes(reserved), counted(recording.residents, "block")));
  } else if (recording.residents > 0) {
    notes.push_back(fmt::format(
        "{} existed before the recording began. The simulation places them from scratch, without the gaps "
        "and the cache between them{}",
        counted(recording.residents, "block"),
        recording.start_unknown.empty()
            ? ""
            : ", because the state at the beginning cannot be reconstructed: " + recording.start_unknown));
  }
}

std::string between(std::uint64_t least, std::uint64_t most) {
  const std::string low = format_bytes(least), high = format_bytes(most);
  return low == high ? "about " + high : fmt::format("between {} and {}", low, high);
}

/// Adds a note if versions of PyTorch read the list differently. In newer versions of PyTorch, ">" applies to
/// the sizes after the last boundary. In older versions, it also applies to the last boundary. A snapshot
/// contains the effective values, so only a text from the user can be ambiguous.
void note_older_lists(SimulationSetup& setup) {
  const auto settings = split_settings(setup.settings_text);
  const SettingText* const list = find_setting(settings, "roundup_power2_divisions");
  if (list == nullptr || list->list.size() < 2 || list->list.back().first != ">") {
    return;
  }
  const auto& [boundary, divisions] = *(list->list.end() - 2);
  if (divisions != list->list.back().second) {
    setup.notes.push_back(
        fmt::format("older versions of PyTorch use the {} divisions of '>' for {} MB, too. Newer ones, which "
                    "are simulated, "
                    "use {} there",
                    list->list.back().second, boundary, divisions));
  }
}

}  // namespace

SimulationSetup simulation_setup(const Recording& recording, const std::optional<std::string>& settings,
                                 std::optional<std::uint64_t> capacity) {
  SimulationSetup setup;
  note_gaps(recording, setup.notes);
  setup.settings_text = settings.value_or(recording.settings);
  setup.as_recorded =
      setup.settings_text == recording.settings && (!capacity || capacity == recording.capacity);
  setup.card = capacity;
  try {
    setup.settings = parse_allocator_settings(setup.settings_text);
  } catch (const UsageError& error) {
    if (settings) {
      throw;
    }
    setup.notes.push_back(
        fmt::format("the recorded settings '{}' cannot be simulated ({}). The defaults are simulated instead",
                    recording.settings, error.what()));
    setup.settings_text.clear();
  }
  note_older_lists(setup);
  for (const auto& key : setup.settings.without_effect) {
    setup.notes.push_back(fmt::format("the setting {} has no effect in a simulation", key));
  }
  if (capacity || recording.capacity) {
    setup.capacity = capacity ? *capacity : *recording.capacity;
    if (!capacity && recording.allowance) {
      setup.capacity = std::min(setup.capacity, recording.allowance->most);
      setup.notes.push_back(fmt::format(
          "the driver had {} free when the request was refused, so a memory fraction of the program refused "
          "it. The process may reserve {} (torch.cuda.set_per_process_memory_fraction)",
          format_bytes(recording.failure ? recording.failure->device_free : 0),
          between(recording.allowance->least, recording.allowance->most)));
    }
    if (!capacity && recording.least_capacity) {
      setup.notes.push_back(fmt::format(
          "the size of the card is inferred from {}, each of which exceeded it: {}",
          recording.recorded_retries == 1 ? "1 retry" : fmt::format("{} retries", recording.recorded_retries),
          between(*recording.least_capacity, *recording.capacity)));
    }
  } else if (!recording.is_of_cpu && recording.has_history()) {
    setup.notes.emplace_back(
        "the size of the card is not recorded. Without --capacity no simulation runs out of memory");
  }
  return setup;
}

std::vector<MemoryTimelinePoint> public_points(const std::vector<TimelinePoint>& timeline) {
  std::vector<MemoryTimelinePoint> points;
  points.reserve(timeline.size());
  for (const TimelinePoint& point : timeline) {
    points.push_back({point.event, point.reserved, point.allocated, point.idle.cached, point.idle.stranded,
                      point.idle.largest});
  }
  return points;
}

MemoryRunOut public_run_out(const Recording& recording, const OutOfMemoryEvent& run_out) {
  MemoryRunOut moment;
  moment.event = run_out.event;
  moment.phase = requesting_stack(recording, run_out.event);
  moment.origin = stack_that_asks(recording, run_out.event);
  moment.requested_bytes = run_out.requested;
  moment.allocated_bytes = run_out.allocated;
  moment.reserved_bytes = run_out.reserved;
  moment.device_free_bytes = run_out.device_free;
  moment.stranded_bytes = run_out.idle.stranded;
  moment.largest_free_block_bytes = run_out.idle.largest;
  return moment;
}

}  // namespace molgauge::allocator
