#pragma once

#include "headroom/memory_explanation.h"
#include "memory/allocator/recordings/recording.h"

namespace headroom::allocator {

/// Computes how much memory grew from one recording to another, by stack and by phase. Compares the peaks and
/// the ends of the recordings. A snapshot without a trace only has an end, which also counts as its peak.
MemoryDifference difference_between(const Recording& before, const Recording& after);

}  // namespace headroom::allocator
