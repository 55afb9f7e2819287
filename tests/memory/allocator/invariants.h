#pragma once

#include <optional>
#include <string>

#include "memory/allocator/simulator/caching_allocator.h"

namespace headroom::allocator {

/// The fault in the allocator's state, or none: segments do not overlap; blocks tile their segment,
/// have correct neighbours and belong to one stream; no two free neighbours are left unmerged; the pools
/// contain exactly the free and unmapped blocks; the statistics are the sums over the blocks, and the card's
/// memory is not exceeded.
std::optional<std::string> broken_invariant(const CachingAllocator& allocator);

}  // namespace headroom::allocator
