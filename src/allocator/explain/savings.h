#pragma once

#include <vector>

#include "allocator/explain/lifetimes.h"
#include "headroom/memory_explanation.h"

namespace headroom::allocator {

/// The bytes that changes of the program would take off the peak of live memory, each with its price:
/// computed from the trace with other sizes if that is sufficient, else estimated. Largest first; none below
/// a hundredth of the peak.
std::vector<MemorySaving> savings_of(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                     const std::vector<MemoryRole>& roles);

}  // namespace headroom::allocator
