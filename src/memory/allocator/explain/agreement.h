#pragma once

#include "headroom/memory_explanation.h"
#include "memory/allocator/recordings/recording.h"
#include "memory/allocator/recordings/replay.h"

namespace headroom::allocator {

/// Compares what the simulator reserves under the recorded settings with what the real allocator had
/// reserved, after every request and every free, and the blocks of both at the end. `card`: settings and
/// capacity of the recorded program. Without recorded segments: compared_events is 0.
SimulationAgreement agreement_with(const Recording& recording, ReplayOptions card);

}  // namespace headroom::allocator
