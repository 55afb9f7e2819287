#include "memgauge/explain/iterations.h"

#include <algorithm>
#include <map>

#include "memgauge/recordings/recorded_phases.h"

namespace molgauge::allocator {
namespace {

constexpr std::size_t kMin = 2;
constexpr double kFreed = 0.6;  ///< an iteration must free this share of its memory before the next iteration
                                ///< ends
constexpr std::size_t kMaxTries = 4;  ///< each attempt reads the whole recording

/// Each iteration begins with the first event after the end of the previous iteration.
Iterations after_each(const Recording& recording, const std::vector<std::size_t>& ends,
                      const char* found_by) {
  Iterations found;
  if (ends.empty()) {
    return found;
  }
  found.found_by = found_by;
  found.starts.push_back(recording.residents);
  for (const std::size_t end : ends) {
    if (end + 1 < recording.events.size() && end + 1 > found.starts.back()) {
      found.starts.push_back(end + 1);
    }
  }
  return found;
}

Iterations by_phases(const Recording& recording) {
  const auto phases = repeated_phases(recording);
  std::vector<std::size_t> ends;
  ends.reserve(phases.size());
  for (const auto& phase : phases) {
    ends.push_back(phase.last_event);
  }
  Iterations found = after_each(recording, ends, "phases");
  // The program builds the model before the first phase, so the first iteration begins with that phase.
  // Phases of optimizer steps are an exception, because they only end an iteration.
  if (!found.starts.empty() && phases.front().name.find("Optimizer.step") == std::string::npos) {
    found.starts.front() = phases.front().first_event;
  }
  return found;
}

/// A step of the optimizer ends with its last request. This is the last request from frames of the optimizer
/// before a request from other frames.
Iterations by_optimizer(const Recording& recording) {
  std::vector<std::size_t> ends;
  std::size_t last = 0;
  bool steps = false;
  for (std::size_t i = recording.residents; i < recording.events.size(); ++i) {
    const MemoryEvent& event = recording.events[i];
    if (event.kind != EventKind::allocate) {
      continue;
    }
    if (stack_of(recording, event.origin).in_optimizer) {
      steps = true;
      last = i;
    } else if (steps) {
      ends.push_back(last);
      steps = false;
    }
  }
  return after_each(recording, ends, "optimizer steps");
}

/// Whether the iterations free most of their memory before the next iteration ends. Repeated layers do not,
/// because their memory stays until the backward pass.
bool frees_what_it_makes(const Recording& recording, const std::vector<std::size_t>& starts) {
  const auto lifetimes = lifetimes_of(recording);
  std::uint64_t made = 0, freed = 0;
  for (const auto& lifetime : lifetimes) {
    const auto next = std::upper_bound(starts.begin(), starts.end(), lifetime.born);
    if (lifetime.resident || next == starts.begin() || next == starts.end() || next + 1 == starts.end()) {
      continue;  // memory of the last two iterations may still be needed
    }
    made += lifetime.bytes;
    freed += lifetime.died < *(next + 1) ? lifetime.bytes : 0;
  }
  return static_cast<double>(freed) >= kFreed * static_cast<double>(made);
}

/// Whether at least half of the iterations have a backward pass. Layers of a forward pass have none. Also
/// true if the recording contains no backward pass.
bool go_backward(const Recording& recording, const std::vector<std::size_t>& starts) {
  const auto is_backward = [&](const MemoryEvent& event) {
    return event.kind == EventKind::allocate && stack_of(recording, event.origin).in_backward;
  };
  std::vector<bool> seen(starts.size(), false);
  bool any = false;
  for (std::size_t i = recording.residents; i < recording.events.size(); ++i) {
    if (is_backward(recording.events[i])) {
      any = true;
      const auto next = std::upper_bound(starts.begin(), starts.end(), i);
      if (next != starts.begin()) {
        seen[static_cast<std::size_t>(next - starts.begin() - 1)] = true;
      }
    }
  }
  return !any || static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true)) * 2 >= starts.size();
}

/// Counts the requests of each stack. A count that many stacks share is the number of iterations. The
/// earliest stack with this count begins each iteration. If the last iteration was cut off, some stacks have
/// one more request.
Iterations by_stacks(const Recording& recording) {
  std::vector<std::size_t> count(recording.origins.size(), 0), first(recording.origins.size(), 0);
  for (std::size_t i = recording.residents; i < recording.events.size(); ++i) {
    const MemoryEvent& event = recording.events[i];
    if (event.kind == EventKind::allocate && count[event.origin]++ == 0) {
      first[event.origin] = i;
    }
  }
  std::map<std::size_t, std::size_t> stacks_by_count;
  std::size_t stacks = 0;
  for (const std::size_t times : count) {
    stacks += times > 0 ? 1U : 0U;
    if (times >= kMin) {
      ++stacks_by_count[times];
    }
  }
  // Considers a count only if at least a fifth of the stacks have this count or a count that is higher by
  // one. Tries the smallest count first, because layers repeat within an iteration.
  std::size_t tries = 0;
  for (const auto& [times, shared] : stacks_by_count) {
    const auto more = stacks_by_count.find(times + 1);
    const std::size_t all = shared + (more == stacks_by_count.end() ? 0 : more->second);
    if (all * 5 < stacks || all < 2) {
      continue;
    }
    std::size_t anchor = recording.origins.size();
    for (std::size_t origin = 0; origin < count.size(); ++origin) {
      if ((count[origin] == times || count[origin] == times + 1) &&
          (anchor == recording.origins.size() || first[origin] < first[anchor])) {
        anchor = origin;
      }
    }
    Iterations found;
    found.found_by = "repeated stacks";
    for (std::size_t i = recording.residents; i < recording.events.size(); ++i) {
      const MemoryEvent& event = recording.events[i];
      if (event.kind == EventKind::allocate && event.origin == anchor) {
        found.starts.push_back(i);
      }
    }
    if (frees_what_it_makes(recording, found.starts) && go_backward(recording, found.starts)) {
      return found;
    }
    if (++tries == kMaxTries) {
      break;
    }
  }
  return {};
}

}  // namespace

long Iterations::of(std::size_t event) const {
  return std::upper_bound(starts.begin(), starts.end(), event) - starts.begin() - 1;
}

bool Iterations::one_begins_between(std::size_t event, std::size_t later) const {
  const auto next = std::upper_bound(starts.begin(), starts.end(), event);
  return next != starts.end() && *next <= later;
}

Iterations iterations_of(const Recording& recording) {
  for (const auto find : {by_phases, by_optimizer}) {
    Iterations found = find(recording);
    if (!found.starts.empty()) {
      return found;
    }
  }
  return recording.stacks.empty() ? Iterations{} : by_stacks(recording);
}

}  // namespace molgauge::allocator
