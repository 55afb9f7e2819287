#pragma once

#include <optional>
#include <string>

#include "allocator/simulator/caching_allocator.h"

namespace headroom::allocator {

/// What is wrong with the allocator's books, or nothing: segments do not overlap; blocks tile their segment,
/// know their neighbours and belong to one stream; no two free neighbours are left unmerged; the pools hold
/// exactly the free and unmapped blocks; the statistics are the sums over the blocks, and nothing exceeds the
/// card.
std::optional<std::string> broken_invariant(const CachingAllocator& allocator);

}  // namespace headroom::allocator
