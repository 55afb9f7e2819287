#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "memgauge/recordings/recording.h"

namespace molgauge::allocator {

struct PhaseStretch {
  std::string name;
  std::size_t first_event = 0, last_event = 0;
};

/// Returns the recurring phases in order. Phases with names that differ only in a number, such as "epoch 1"
/// and "epoch 2", are of one kind. Looks for the outermost nesting level at which some kind has at least
/// three phases, and returns the phases of this kind. If several kinds at this level have at least three
/// phases, the name that comes first in the alphabet decides. The result is empty if no level has such a
/// kind.
std::vector<PhaseStretch> repeated_phases(const Recording& recording);

/// Returns the names of the open phases at `event`, outermost first, joined by " / ". The text is empty if no
/// phase is open.
std::string open_phases_at(const Recording& recording, std::size_t event);

/// Returns the recorded stack of the request in `event`, or an empty text if no stack was recorded.
std::string stack_that_asks(const Recording& recording, std::size_t event);

/// Returns the open phases at `event`. If no phase is open, returns the stack that made the request. The text
/// is empty if neither is known.
std::string requesting_stack(const Recording& recording, std::size_t event);

}  // namespace molgauge::allocator
