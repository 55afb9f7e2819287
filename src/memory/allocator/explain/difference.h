#pragma once

#include "headroom/memory_explanation.h"
#include "memory/allocator/recordings/recording.h"

namespace headroom::allocator {

/// The growth from one recording to another, by stack and by phase, at the peaks and at the ends. A snapshot
/// without a trace only has its end, which also counts as its peak.
MemoryDifference difference_between(const Recording& before, const Recording& after);

}  // namespace headroom::allocator
