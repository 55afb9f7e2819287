#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "allocator/explain/lifetimes.h"
#include "allocator/recordings/recording.h"

namespace headroom::allocator {

/// The steps that a program repeats.
struct Iterations {
  /// The first events of the iterations, ascending; the last iteration may have been cut off.
  std::vector<std::size_t> starts;
  std::string found_by;  ///< "phases", "optimiser steps", "repeated stacks"; empty: none were found

  /// Which iteration an event belongs to, from 0; before the first: -1.
  long of(std::size_t event) const;
  std::size_t count() const { return starts.size(); }
};

/// From phases and annotations that come again, else from the optimiser's frames, else from stacks that ask
/// the same number of times.
Iterations iterations_of(const Recording& recording);

}  // namespace headroom::allocator
