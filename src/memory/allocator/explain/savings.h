#pragma once

#include <vector>

#include "headroom/memory_explanation.h"
#include "memory/allocator/explain/lifetimes.h"

namespace headroom::allocator {

/// The bytes that changes of the program would take off the peak of live memory, each with its price:
/// computed from the trace with other sizes if that is sufficient, else estimated. Largest first; none below
/// a hundredth of the peak, and only changes that suit the work: inference keeps no activations for a
/// backward pass. `last`: the last event of the program's work, as for leaks_of().
std::vector<MemorySaving> savings_of(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                     const std::vector<MemoryRole>& roles, std::size_t last);

}  // namespace headroom::allocator
