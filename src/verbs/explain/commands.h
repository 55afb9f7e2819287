#pragma once

#include "headroom/memory_explanation.h"

/// `headroom memory explain`, `simulate` and `diff`, from files to answers. All throw InputError naming the
/// file where it cannot be read, and UsageError for settings and devices that there are not.
namespace headroom::allocator {

/// Writes the page, too, where one is asked for.
MemoryExplanation explain_memory(const ExplainMemoryRequest& request);

SimulateMemoryReport simulate_memory(const SimulateMemoryRequest& request);

MemoryDifference diff_memory(const DiffMemoryRequest& request);

}  // namespace headroom::allocator
