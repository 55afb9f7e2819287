#pragma once

#include "headroom/memory_explanation.h"
#include "memory/allocator/recordings/recording.h"

namespace headroom::allocator {

/// Runs a recording under each of the requested settings. Throws UsageError for settings that cannot
/// be read.
SimulateMemoryReport simulate(const Recording& recording, const SimulateMemoryRequest& request);

}  // namespace headroom::allocator
