#pragma once

#include <vector>

#include "allocator/explain/lifetimes.h"
#include "headroom/memory_explanation.h"

namespace headroom::allocator {

/// What changes of the program would take off the highest sum of the living, each with its price: computed
/// again from the trace with other sizes where that is all it takes, else estimated. Largest first; none
/// below a hundredth of the peak.
std::vector<MemorySaving> savings_of(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                     const std::vector<MemoryRole>& roles);

}  // namespace headroom::allocator
