#pragma once

#include "molgauge/memory_explanation.h"

/// Implements `molgauge memory explain`, `simulate` and `diff`. All functions throw InputError with the file
/// name if a file cannot be read, and UsageError for unknown settings and devices.
namespace molgauge::allocator {

/// Explains a recording. Also writes the page if the request has a path for it.
MemoryExplanation explain_memory(const ExplainMemoryRequest& request);

SimulateMemoryReport simulate_memory(const SimulateMemoryRequest& request);

MemoryDifference diff_memory(const DiffMemoryRequest& request);

}  // namespace molgauge::allocator
