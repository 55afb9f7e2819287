#pragma once

#include <string>
#include <vector>

#include "allocator/explain/iterations.h"
#include "allocator/explain/lifetimes.h"
#include "headroom/memory_explanation.h"

namespace headroom::allocator {

/// What is known of a program when its cause is looked for.
struct Evidence {
  const Recording& recording;
  const std::vector<Lifetime>& lifetimes;
  const std::vector<MemoryRole>& roles;
  const Iterations& iterations;
};

/// Finds what in the program made memory run out, from an explanation whose moment, verdict, leaks, pools,
/// imbalance and extrapolation are known; fills in its cause and the sentence about it. The causes are tried
/// from the one with the most particular evidence to the one with none: a batch that is too large.
void find_cause(const Evidence& evidence, MemoryExplanation& explanation);

/// "graph_retained", as JSON has it.
const char* name_of(MemoryCause cause);

}  // namespace headroom::allocator
