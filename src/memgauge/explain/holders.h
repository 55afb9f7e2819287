#pragma once

#include <cstdint>
#include <vector>

#include "memgauge/explain/lifetimes.h"
#include "memgauge/explain/roles.h"
#include "memgauge/recordings/recording.h"
#include "memgauge/simulator/allocator_state.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// Adds the holders of memory to an explanation, and fills in its pending and live bytes. A holder is all
/// memory that one stack requested in one pool. Freed memory that another stream still uses is a separate
/// holder. `segments`: the state at the explained moment. Returns the origin of each holder.
std::vector<std::uint32_t> count_holders(const Recording& recording,
                                         const std::vector<SegmentPicture>& segments,
                                         MemoryExplanation& explanation);

/// The private pools at the end of the recording, by name.
std::vector<MemoryOfPool> recorded_pools(const Recording& recording);

/// The facts from which the roles of holders are determined.
struct HolderEvidence {
  const Recording& recording;
  const std::vector<Lifetime>& lifetimes;
  const Roles& roles;
  const std::vector<std::uint32_t>& origins;  ///< result of count_holders()
};

/// Sets the roles of the holders and sorts them, largest first. The role of a holder is the role of most of
/// its bytes. The role is certain if it is certain for at least half of these bytes.
void name_roles(const HolderEvidence& evidence, MemoryExplanation& explanation);

}  // namespace molgauge::allocator
