#pragma once

#include <optional>
#include <string>

#include "memgauge/simulator/caching_allocator.h"

namespace molgauge::allocator {

/// Returns the first violated invariant of the allocator, or none. Segments do not overlap. Blocks tile their
/// segment, have correct neighbours and belong to one stream. Free neighbours are merged. The pools contain
/// exactly the free and unmapped blocks. The statistics are the sums over the blocks, and the memory of the
/// card is not exceeded.
std::optional<std::string> broken_invariant(const CachingAllocator& allocator);

}  // namespace molgauge::allocator
