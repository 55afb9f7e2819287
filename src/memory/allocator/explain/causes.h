#pragma once

#include <string>
#include <vector>

#include "headroom/memory_explanation.h"
#include "memory/allocator/explain/iterations.h"
#include "memory/allocator/explain/lifetimes.h"

namespace headroom::allocator {

/// The known facts about a program when its cause is determined.
struct Evidence {
  const Recording& recording;
  const std::vector<Lifetime>& lifetimes;
  const std::vector<MemoryRole>& roles;
  const Iterations& iterations;
  const AllocatorSettings& settings;
};

/// Finds the cause of running out of memory in the program, from an explanation whose moment, verdict, leaks,
/// pools, imbalance and extrapolation are known. Fills in its cause, the sentence about it and its margin.
/// Causes are tried from the one with the most specific evidence to the one with none: a batch that is too
/// large.
///
/// A cause needs memory of its kind above zero, and without that memory the request would have fitted, or the
/// memory is at least a share of the memory in use. docs/explanation/allocator.md lists the shares.
void find_cause(const Evidence& evidence, MemoryExplanation& explanation);

/// The name in JSON: "graph_retained".
const char* name_of(MemoryCause cause);

}  // namespace headroom::allocator
