#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "memory/allocator/explain/lifetimes.h"
#include "memory/allocator/recordings/recording.h"

namespace headroom::allocator {

/// The steps that a program repeats.
struct Iterations {
  /// The first events of the iterations, ascending; the last iteration may have been cut off.
  std::vector<std::size_t> starts;
  std::string found_by;  ///< "phases", "optimiser steps", "repeated stacks"; empty: none were found

  /// Returns the iteration of an event, or -1 before the first iteration.
  long of(std::size_t event) const;
  /// Whether an iteration begins after `event`, with `later` at the latest.
  bool one_begins_between(std::size_t event, std::size_t later) const;
  std::size_t count() const { return starts.size(); }
};

/// Found from recurring phases and annotations, else from the optimiser's frames, else from stacks that make
/// requests equally often.
Iterations iterations_of(const Recording& recording);

}  // namespace headroom::allocator
