#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "memory/allocator/recordings/recording.h"

namespace headroom::allocator {

struct PhaseStretch {
  std::string name;
  std::size_t first_event = 0, last_event = 0;
};

/// The recurring phases, in their order: the first kind (names that differ only in a number,
/// such as "epoch 1") with at least three phases on the outermost level that has one. Empty without
/// such phases.
std::vector<PhaseStretch> repeated_phases(const Recording& recording);

/// The names of the phases that are open at `event`, outermost first, joined by " / "; empty
/// without any.
std::string open_phases_at(const Recording& recording, std::size_t event);

/// The recorded stack of the request in `event`. Empty if there is none.
std::string stack_that_asks(const Recording& recording, std::size_t event);

/// The open phases, or without any the requesting stack in `event`; empty when neither is known.
std::string requesting_stack(const Recording& recording, std::size_t event);

}  // namespace headroom::allocator
