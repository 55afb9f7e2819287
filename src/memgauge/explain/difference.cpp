#include "memgauge/explain/difference.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/text/bytes.h"
#include "memgauge/explain/explanation.h"
#include "memgauge/explain/explanation_text.h"
#include "memgauge/explain/lifetimes.h"
#include "memgauge/recordings/recorded_phases.h"

namespace molgauge::allocator {
namespace {

constexpr std::size_t kLines = 12;

/// Identifies an origin by its name and frames, which are equal in both recordings. The number of an origin
/// differs between recordings.
using Key = std::pair<std::string, std::vector<std::string>>;
using Held = std::map<Key, std::uint64_t>;

struct Side {
  LivePeak peak;
  std::uint64_t end_bytes = 0, reserved_bytes = 0;
  Held at_peak, at_end, by_phase;
};

/// Joins the names of the four outermost open phases. The limit is needed because phases may be nested
/// thousands of levels deep in a hostile file.
std::string outermost(const std::vector<std::string>& open) {
  constexpr std::size_t deepest = 4;
  const auto end = open.begin() + static_cast<std::ptrdiff_t>(std::min(open.size(), deepest));
  return fmt::format("{}", fmt::join(open.begin(), end, " / "));
}

/// The phases that were open at each event, as indices into `names`.
std::vector<std::uint32_t> open_phases(const Recording& recording, std::vector<std::string>& names) {
  std::vector<std::uint32_t> at(recording.events.size(), 0);
  std::map<std::string, std::uint32_t> numbers;
  std::vector<std::string> open;
  names.assign(1, kNoPhase);
  std::uint32_t now = 0;
  for (std::size_t i = 0; i < recording.events.size(); ++i) {
    const MemoryEvent& event = recording.events[i];
    if (event.kind == EventKind::begin_phase || event.kind == EventKind::end_phase) {
      if (event.kind == EventKind::begin_phase) {
        open.push_back(recording.origins[event.origin]);
      } else if (!open.empty()) {
        open.pop_back();
      }
      const std::string name = open.empty() ? kNoPhase : outermost(open);
      const auto [entry, is_new] = numbers.try_emplace(name, static_cast<std::uint32_t>(names.size()));
      if (is_new) {
        names.push_back(name);
      }
      now = open.empty() ? 0 : entry->second;
    }
    at[i] = now;
  }
  return at;
}

Side side_of(const Recording& recording) {
  Side side;
  const auto lifetimes = lifetimes_of(recording);
  side.peak = live_peak(recording, lifetimes);
  std::vector<std::string> phase_names;
  const auto phases = open_phases(recording, phase_names);
  const std::size_t last = recording.events.size();
  for (const auto& lifetime : lifetimes) {
    const Key key{recording.origins[lifetime.origin], stack_of(recording, lifetime.origin).frames};
    if (lifetime.lives_after(side.peak.event)) {
      side.at_peak[key] += lifetime.bytes;
      const std::string& phase =
          lifetime.resident ? "before the recording" : phase_names[phases[lifetime.born]];
      side.by_phase[Key{phase, {}}] += lifetime.bytes;
    }
    if (lifetime.lives_after(last)) {
      side.at_end[key] += lifetime.bytes;
      side.end_bytes += lifetime.bytes;
    }
  }
  const SimulationSetup setup = simulation_setup(recording, std::nullopt, std::nullopt);
  ReplayOptions options;
  options.settings = setup.settings;
  options.capacity = setup.capacity;
  side.reserved_bytes = recording.recorded_reserve ? recording.recorded_reserve->peak_bytes
                                                   : replay(recording, options).statistics.reserved.peak;
  return side;
}

std::uint64_t change_of(const MemoryGrowth& growth) {
  return std::max(growth.before_bytes, growth.after_bytes) -
         std::min(growth.before_bytes, growth.after_bytes);
}

std::vector<MemoryGrowth> growths(const Held& before, const Held& after) {
  std::map<Key, MemoryGrowth> all;
  for (const auto& [key, bytes] : before) {
    all[key].before_bytes = bytes;
  }
  for (const auto& [key, bytes] : after) {
    all[key].after_bytes = bytes;
  }
  std::vector<MemoryGrowth> changed;
  for (auto& [key, growth] : all) {
    if (growth.before_bytes != growth.after_bytes) {
      growth.origin = key.first;
      growth.frames = key.second;
      changed.push_back(std::move(growth));
    }
  }
  std::stable_sort(changed.begin(), changed.end(), [](const MemoryGrowth& left, const MemoryGrowth& right) {
    return change_of(left) > change_of(right);
  });
  return changed;
}

std::string signed_bytes(std::uint64_t before, std::uint64_t after) {
  return after >= before ? "+" + format_bytes(after - before) : "-" + format_bytes(before - after);
}

std::string part(const char* heading, std::uint64_t before, std::uint64_t after,
                 const std::vector<MemoryGrowth>& growths) {
  std::string text = fmt::format("\n{}: {} before, {} after ({})\n", heading, format_bytes(before),
                                 format_bytes(after), signed_bytes(before, after));
  if (growths.empty()) {
    text += "  no stack changed\n";
  }
  for (std::size_t i = 0; i < std::min(kLines, growths.size()); ++i) {
    const auto& growth = growths[i];
    text += fmt::format("  {:>11}  {} -> {}  {}\n", signed_bytes(growth.before_bytes, growth.after_bytes),
                        format_bytes(growth.before_bytes), format_bytes(growth.after_bytes), growth.origin);
    if (growth.frames.size() > 1) {
      text += fmt::format("{:>15}called by {}\n", "",
                          fmt::join(growth.frames.begin() + 1, growth.frames.end(), " < "));
    }
  }
  if (growths.size() > kLines) {
    text += fmt::format("  and {} smaller changes\n", growths.size() - kLines);
  }
  return text;
}

/// Names the file, and the device if the recording has several. Adds a remark if the recording has no trace.
std::string described(const Recording& recording) {
  return recording.source + (recording.devices.size() > 1 ? fmt::format(", GPU {}", recording.device) : "") +
         (recording.has_history() || recording.recorded_segments.empty()
              ? ""
              : ", without a trace: the state when it was dumped, which may not be the peak");
}

std::string text_of(const MemoryDifference& difference, const Recording& before, const Recording& after) {
  std::string text =
      fmt::format("before: {}\nafter:  {}\npeak reserved memory: {} before, {} after ({})\n",
                  described(before), described(after), format_bytes(difference.before_reserved_bytes),
                  format_bytes(difference.after_reserved_bytes),
                  signed_bytes(difference.before_reserved_bytes, difference.after_reserved_bytes));
  text += part("In use at the peak", difference.before_peak_bytes, difference.after_peak_bytes,
               difference.at_peak);
  if (difference.by_phase.size() > 1) {
    text += part("In use at the peak, by the phase of the allocation", difference.before_peak_bytes,
                 difference.after_peak_bytes, difference.by_phase);
  }
  return text + part("In use at the end", difference.before_end_bytes, difference.after_end_bytes,
                     difference.at_end);
}

}  // namespace

MemoryDifference difference_between(const Recording& before, const Recording& after) {
  const Side first = side_of(before), second = side_of(after);
  MemoryDifference difference;
  difference.before = before.source;
  difference.after = after.source;
  difference.before_peak_bytes = first.peak.bytes;
  difference.after_peak_bytes = second.peak.bytes;
  difference.before_end_bytes = first.end_bytes;
  difference.after_end_bytes = second.end_bytes;
  difference.before_reserved_bytes = first.reserved_bytes;
  difference.after_reserved_bytes = second.reserved_bytes;
  difference.at_peak = growths(first.at_peak, second.at_peak);
  difference.at_end = growths(first.at_end, second.at_end);
  difference.by_phase = growths(first.by_phase, second.by_phase);
  difference.text = text_of(difference, before, after);
  difference.json = difference_json(difference);
  return difference;
}

}  // namespace molgauge::allocator
