#pragma once

#include <string>
#include <vector>

#include "memgauge/explain/iterations.h"
#include "memgauge/explain/lifetimes.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// The facts from which the cause is determined.
struct Evidence {
  const Recording& recording;
  const std::vector<Lifetime>& lifetimes;
  const std::vector<MemoryRole>& roles;
  const Iterations& iterations;
  const AllocatorSettings& settings;
};

/// Determines why memory ran out. `explanation` must already contain moment, verdict, leaks, pools, imbalance
/// and extrapolation. Fills in the cause, its text and its margin. Causes with specific evidence are tried
/// first. The last cause, a batch that is too large, needs no evidence.
///
/// A kind of memory can be the cause only if the program holds such memory. In addition, the request must fit
/// without this memory, or the memory must reach a share of the memory in use. docs/explanation/allocator.md
/// lists the shares.
void find_cause(const Evidence& evidence, MemoryExplanation& explanation);

/// Returns the name of the cause in JSON output, for example "graph_retained".
const char* name_of(MemoryCause cause);

}  // namespace molgauge::allocator
