#pragma once

#include "allocator/recordings/recording.h"
#include "allocator/recordings/replay.h"
#include "headroom/memory_explanation.h"

namespace headroom::allocator {

/// Compares the reserved memory of the simulator under the recorded settings with that of the real allocator,
/// after every request and every free, and the blocks of both at the end. `card`: settings and capacity of
/// the recorded program. Without recorded segments: compared_events is 0.
SimulationAgreement agreement_with(const Recording& recording, ReplayOptions card);

}  // namespace headroom::allocator
