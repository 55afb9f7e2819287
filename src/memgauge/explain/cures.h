#pragma once

#include <string>
#include <vector>

#include "memgauge/recordings/replay.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// The base run, with which simulated changes are compared. All runs begin with the recorded state.
struct CureBase {
  ReplayOptions options;
  std::string settings;  ///< settings as text
  const ReplayResult& result;
  /// Lower bound of the capacity, if the capacity was only inferred. A cure must then work both with this
  /// capacity and with the capacity in `options`.
  std::optional<std::uint64_t> least_capacity;
  /// Element i tells whether the memory of allocation i shrinks with the batch.
  const std::vector<bool>& follows_batch;
};

/// Simulates possible changes: other allocator settings, an emptied cache, a larger memory fraction, smaller
/// batches. A change is a cure if the program then fits. If memory did not run out in the base run, the
/// change must reserve at least 5 % less than the base run. Alternatively, it must need fewer than half of
/// its retries without reserving more. In the result, cures come before other changes. Within both groups,
/// settings come before changes of the program. Cures of equal kind are sorted by reserved memory, least
/// first.
///
/// Throws Interrupted if the user asks to stop.
std::vector<MemoryCure> try_cures(const Recording& recording, const CureBase& base);

}  // namespace molgauge::allocator
