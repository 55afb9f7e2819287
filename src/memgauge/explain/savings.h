#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "memgauge/explain/iterations.h"
#include "memgauge/explain/lifetimes.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// The facts from which the savings are computed.
struct SavingsEvidence {
  const Recording& recording;
  const std::vector<Lifetime>& lifetimes;
  const Iterations& iterations;
  const std::vector<MemoryRole>& roles;
  std::optional<std::size_t> failure;  ///< the failed request, if the recording ends with it
  std::uint64_t allowed = 0;           ///< bytes that the process can use
};

/// Computes how much each change of the program would reduce the peak, which is the highest sum of live
/// bytes. Changes the sizes in the trace and computes the new peak. Memory that does not depend on the batch
/// keeps its size. If the new peak is at another moment, the saving is smaller and has a note. After a
/// failure, the failed request counts as live, and each saving states whether the request then fits. The
/// largest saving comes first.
std::vector<MemorySaving> savings_of(const SavingsEvidence& evidence);

}  // namespace molgauge::allocator
