#pragma once

#include <string>
#include <vector>

#include "headroom/memory_explanation.h"
#include "memory/allocator/recordings/replay.h"

namespace headroom::allocator {

/// The run with which the simulated changes are compared: the explained run, which begins with the recorded
/// state, as they do.
struct CureBase {
  ReplayOptions options;
  std::string settings;  ///< as text
  const ReplayResult& result;
  /// The size of the card is only inferred, and this is its lower bound. A cure must hold for both bounds.
  std::optional<std::uint64_t> least_capacity;
  /// By allocation: memory that shrinks with the batch.
  const std::vector<bool>& follows_batch;
};

/// Simulates possible changes: other allocator settings, an emptied cache, a larger memory fraction, smaller
/// batches. A change is a cure if the run then fits. If memory did not run out, it must reserve 5 % less than
/// the base, or need fewer than half the retries. Best first: cures before other changes, settings before
/// changes of the program, less reserved memory before more.
///
/// Stops with Interrupted when the user asks to.
std::vector<MemoryCure> try_cures(const Recording& recording, const CureBase& base);

}  // namespace headroom::allocator
