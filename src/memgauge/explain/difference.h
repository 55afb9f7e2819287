#pragma once

#include "memgauge/recordings/recording.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// Computes how much memory grew from one recording to another, by stack and by phase. Compares the peaks and
/// the ends of the recordings. For a snapshot without a trace, only the end is known. The end then also
/// counts as the peak.
MemoryDifference difference_between(const Recording& before, const Recording& after);

}  // namespace molgauge::allocator
