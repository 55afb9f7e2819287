#pragma once

#include "headroom/memory_explanation.h"
#include "memory/allocator/recordings/recording.h"

namespace headroom::allocator {

/// Computes how much memory grew from one recording to another, by stack and by phase. Compares the peaks and
/// the ends of the recordings. For a snapshot without a trace, only the end is known. The end then also
/// counts as the peak.
MemoryDifference difference_between(const Recording& before, const Recording& after);

}  // namespace headroom::allocator
