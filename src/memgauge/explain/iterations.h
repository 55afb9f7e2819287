#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "memgauge/explain/lifetimes.h"
#include "memgauge/recordings/recording.h"

namespace molgauge::allocator {

/// The iterations of a program, for example its training steps.
struct Iterations {
  /// The first event of each iteration, in ascending order. The last iteration may have been cut off.
  std::vector<std::size_t> starts;
  /// The evidence: "phases", "optimizer steps" or "repeated stacks". Empty if no iterations were found.
  std::string found_by;

  /// Returns the iteration of an event, or -1 before the first iteration.
  long of(std::size_t event) const;
  /// Whether an iteration begins after `event` and at or before `later`.
  bool one_begins_between(std::size_t event, std::size_t later) const;
  std::size_t count() const { return starts.size(); }
};

/// Finds the iterations from recurring phases and annotations. If there are none, uses frames of the
/// optimizer. If the optimizer has no frames either, uses stacks that make equally many requests.
Iterations iterations_of(const Recording& recording);

}  // namespace molgauge::allocator
