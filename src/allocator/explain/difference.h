#pragma once

#include "allocator/recordings/recording.h"
#include "headroom/memory_explanation.h"

namespace headroom::allocator {

/// What grew from one recording to another, by stack or phase: at the highest moments in use of both, and at
/// their ends. A snapshot without a trace has its end alone; its peak is that.
MemoryDifference difference_between(const Recording& before, const Recording& after);

}  // namespace headroom::allocator
