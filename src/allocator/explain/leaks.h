#pragma once

#include <vector>

#include "allocator/explain/iterations.h"
#include "allocator/explain/lifetimes.h"
#include "headroom/memory_explanation.h"

namespace headroom::allocator {

/// Memory that every iteration allocates and that is still live after `event`: largest first. Empty without
/// at least three iterations before that of the event.
std::vector<MemoryLeak> leaks_of(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                 const Iterations& iterations, std::size_t event);

}  // namespace headroom::allocator
