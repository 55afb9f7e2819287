#pragma once

#include <vector>

#include "memgauge/explain/iterations.h"
#include "memgauge/explain/lifetimes.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// Returns the memory that almost every iteration before the iteration of `event` allocated and never freed,
/// largest first. Only memory that is live after `last` counts. `last` is the end of the recording, or the
/// failed request. Events after the failed request are ignored, because the program then does nothing but
/// free its memory. The result is empty if fewer than three iterations precede the iteration of `event`.
std::vector<MemoryLeak> leaks_of(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                 const Iterations& iterations, std::size_t event, std::size_t last);

}  // namespace molgauge::allocator
