#pragma once

#include <string>
#include <vector>

#include "headroom/memory_explanation.h"
#include "memory/allocator/recordings/replay.h"

namespace headroom::allocator {

/// The explained run, with which simulated changes are compared. All runs begin with the recorded state.
struct CureBase {
  ReplayOptions options;
  std::string settings;  ///< as text
  const ReplayResult& result;
  /// The lower bound of the size of the card, if it is only inferred. A cure must hold for both bounds.
  std::optional<std::uint64_t> least_capacity;
  /// Whether the memory shrinks with the batch, by allocation.
  const std::vector<bool>& follows_batch;
};

/// Simulates possible changes: other allocator settings, an emptied cache, a larger memory fraction, smaller
/// batches. A change is a cure if the run then fits. If memory did not run out, it must reserve 5 % less than
/// the base, or need fewer than half the retries. Best first: cures before other changes, settings before
/// changes of the program, less reserved memory before more.
///
/// Throws Interrupted if the user stops it.
std::vector<MemoryCure> try_cures(const Recording& recording, const CureBase& base);

}  // namespace headroom::allocator
