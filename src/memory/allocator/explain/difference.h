#pragma once

#include "headroom/memory_explanation.h"
#include "memory/allocator/recordings/recording.h"

namespace headroom::allocator {

/// Growth from one recording to another, by stack or phase: at the peaks of both, and at
/// their ends. A snapshot without a trace has only its end, which is also its peak.
MemoryDifference difference_between(const Recording& before, const Recording& after);

}  // namespace headroom::allocator
