#include "memgauge/recordings/recorded_phases.h"

#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace molgauge::allocator {
namespace {

constexpr std::size_t kDeepest = 4;
constexpr std::size_t kRepeated = 3;

/// The events that begin or end a phase. There are few of them among millions of events.
std::vector<std::size_t> phase_marks(const Recording& recording) {
  std::vector<std::size_t> marks;
  for (std::size_t i = 0; i < recording.events.size(); ++i) {
    const EventKind kind = recording.events[i].kind;
    if (kind == EventKind::begin_phase || kind == EventKind::end_phase) {
      marks.push_back(i);
    }
  }
  return marks;
}

std::vector<PhaseStretch> phases_on_level(const Recording& recording, const std::vector<std::size_t>& marks,
                                          std::size_t level) {
  std::vector<PhaseStretch> found;
  std::vector<std::size_t> open;
  for (const std::size_t i : marks) {
    if (recording.events[i].kind == EventKind::begin_phase) {
      open.push_back(i);
      continue;
    }
    if (open.size() == level + 1) {
      found.push_back({recording.origins[recording.events[open.back()].origin], open.back(), i});
    }
    open.pop_back();
  }
  return found;
}

/// Removes a number at the end of a name: "epoch 12" becomes "epoch".
std::string family_of(const std::string& name) {
  const std::size_t last = name.find_last_not_of("0123456789 _-#");
  return last == std::string::npos ? name : name.substr(0, last + 1);
}

}  // namespace

std::vector<PhaseStretch> repeated_phases(const Recording& recording) {
  const std::vector<std::size_t> marks = phase_marks(recording);
  for (std::size_t level = 0; level < kDeepest; ++level) {
    std::map<std::string, std::vector<PhaseStretch>> families;
    for (auto& phase : phases_on_level(recording, marks, level)) {
      families[family_of(phase.name)].push_back(std::move(phase));
    }
    for (auto& [family, phases] : families) {
      if (phases.size() >= kRepeated) {
        return std::move(phases);
      }
    }
  }
  return {};
}

std::string open_phases_at(const Recording& recording, std::size_t event) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i <= event && i < recording.events.size(); ++i) {
    if (recording.events[i].kind == EventKind::begin_phase) {
      open.push_back(recording.origins[recording.events[i].origin]);
    } else if (recording.events[i].kind == EventKind::end_phase) {
      open.pop_back();
    }
  }
  return fmt::format("{}", fmt::join(open, " / "));
}

std::string stack_that_asks(const Recording& recording, std::size_t event) {
  const auto& asking = recording.events[event];
  const bool is_request = asking.kind == EventKind::allocate || asking.kind == EventKind::out_of_memory;
  return is_request && asking.origin < recording.stacks.size() ? recording.origins[asking.origin] : "";
}

std::string requesting_stack(const Recording& recording, std::size_t event) {
  std::string phases = open_phases_at(recording, event);
  if (!phases.empty()) {
    return phases;
  }
  const auto& asking = recording.events[event];
  const bool is_request = asking.kind == EventKind::allocate || asking.kind == EventKind::out_of_memory;
  return is_request ? recording.origins[asking.origin] : "";
}

}  // namespace molgauge::allocator
