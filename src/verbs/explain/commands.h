#pragma once

#include "headroom/memory_explanation.h"

/// `headroom memory explain`, `simulate` and `diff`, from files to results. All throw InputError with the
/// file if it cannot be read, and UsageError for unknown settings and devices.
namespace headroom::allocator {

/// Explains a recording. Also writes the page if the request has a path for it.
MemoryExplanation explain_memory(const ExplainMemoryRequest& request);

SimulateMemoryReport simulate_memory(const SimulateMemoryRequest& request);

MemoryDifference diff_memory(const DiffMemoryRequest& request);

}  // namespace headroom::allocator
