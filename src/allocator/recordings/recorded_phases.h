#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "allocator/recordings/recording.h"

namespace headroom::allocator {

struct PhaseStretch {
  std::string name;
  std::size_t last_event = 0;
};

/// The phases that come again and again, in their order: the first kind (names that differ in a number alone,
/// such as "epoch 1") that the outermost level on which there is any has at least three of. Empty without
/// such.
std::vector<PhaseStretch> repeated_phases(const Recording& recording);

/// The names of the phases that are open when `event` happens, outermost first, joined by " / "; empty
/// without any.
std::string open_phases_at(const Recording& recording, std::size_t event);

/// The recorded stack that asks in `event`; empty where there is none.
std::string stack_that_asks(const Recording& recording, std::size_t event);

/// The open phases, or without any the stack that asks in `event`; empty when neither is known.
std::string who_asks(const Recording& recording, std::size_t event);

}  // namespace headroom::allocator
