#pragma once

#include "headroom/memory_explanation.h"
#include "memory/allocator/recordings/recording.h"

namespace headroom::allocator {

/// Simulates a recording with each of the requested settings. Throws UsageError for invalid settings.
SimulateMemoryReport simulate(const Recording& recording, const SimulateMemoryRequest& request);

}  // namespace headroom::allocator
