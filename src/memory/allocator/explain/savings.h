#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headroom/memory_explanation.h"
#include "memory/allocator/explain/iterations.h"
#include "memory/allocator/explain/lifetimes.h"

namespace headroom::allocator {

/// The known facts about a program when changes of it are judged.
struct SavingsEvidence {
  const Recording& recording;
  const std::vector<Lifetime>& lifetimes;
  const Iterations& iterations;
  const std::vector<MemoryRole>& roles;
  std::optional<std::size_t> failure;  ///< the request that failed, if the recording ends with it
  std::uint64_t allowed = 0;           ///< bytes that the process may use
};

/// Changes of the program that would lower the highest sum of live bytes, computed from the trace with other
/// sizes. If another moment is the peak after the change, the saving ends there and says so. Memory that does
/// not follow the batch keeps its size. After a failure, the request that failed counts as live, and each
/// change says whether the request then fits. Largest first.
std::vector<MemorySaving> savings_of(const SavingsEvidence& evidence);

}  // namespace headroom::allocator
