#pragma once

#include "memgauge/recordings/recording.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// Simulates a recording with each of the requested settings. Throws UsageError for invalid settings.
SimulateMemoryReport simulate(const Recording& recording, const SimulateMemoryRequest& request);

}  // namespace molgauge::allocator
