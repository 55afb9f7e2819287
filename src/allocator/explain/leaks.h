#pragma once

#include <vector>

#include "allocator/explain/iterations.h"
#include "allocator/explain/lifetimes.h"
#include "headroom/memory_explanation.h"

namespace headroom::allocator {

/// What is allocated in every iteration and still lives after `event`: largest first. Empty without at least
/// three iterations before the one of that event.
std::vector<MemoryLeak> leaks_of(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                 const Iterations& iterations, std::size_t event);

}  // namespace headroom::allocator
