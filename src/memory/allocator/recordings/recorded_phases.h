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

/// The recurring phases in order. Phases with names that differ only in a number, such as "epoch 1" and
/// "epoch 2", are of one kind. On the outermost level that has a kind with at least three phases, the first
/// such kind is used. Empty if there is no such kind.
std::vector<PhaseStretch> repeated_phases(const Recording& recording);

/// The names of the open phases at `event`, outermost first, joined by " / ". Empty if there are none.
std::string open_phases_at(const Recording& recording, std::size_t event);

/// The recorded stack of the request in `event`. Empty if there is none.
std::string stack_that_asks(const Recording& recording, std::size_t event);

/// The open phases or, if there are none, the requesting stack of `event`. Empty if neither is known.
std::string requesting_stack(const Recording& recording, std::size_t event);

}  // namespace headroom::allocator
