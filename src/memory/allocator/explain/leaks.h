#pragma once

#include <vector>

#include "headroom/memory_explanation.h"
#include "memory/allocator/explain/iterations.h"
#include "memory/allocator/explain/lifetimes.h"

namespace headroom::allocator {

/// The memory that each iteration before the iteration of `event` allocated and that is still live after
/// `last`, largest first. `last` is the end of the recording, or the failure after which a program only frees
/// memory. Empty unless at least three iterations come before that of the event.
std::vector<MemoryLeak> leaks_of(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                 const Iterations& iterations, std::size_t event, std::size_t last);

}  // namespace headroom::allocator
