#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "memgauge/explain/iterations.h"
#include "memgauge/explain/lifetimes.h"
#include "molgauge/memory_explanation.h"

namespace molgauge::allocator {

/// Comparison of two runs of the same work: on two devices, in two ranks, or in two iterations.
struct Likeness {
  /// `matched`: number of requests that occur in both intervals. `asked`: number of requests in the first
  /// interval.
  std::size_t matched = 0, asked = 0;
  /// Size of a request in the first interval divided by its size in the second. Requests of equal size do not
  /// count. If the ratios of the requests differ, it is the ratio that applies to the most bytes.
  double ratio = 1;
  std::uint64_t equal_bytes = 0;  ///< bytes of equal requests, which do not depend on the input
};

/// Compares the requests in two intervals of events. For each stack, the k-th request of one interval is
/// compared with the k-th request of the other.
Likeness likeness(const Recording& one, std::size_t one_begin, std::size_t one_end, const Recording& other,
                  std::size_t other_begin, std::size_t other_end);

/// The result of comparing the explained process or device with a replica.
struct ReplicaFinding {
  MemoryImbalance imbalance;
  /// Set if the explained process ran out of memory and the replica finished the same work.
  std::optional<MemoryExtrapolation> extrapolation;
};

/// Compares the first recording, which is explained, with the other recordings. `names`: the names of all
/// recordings. `failed`: the event at which the first recording ran out of memory, if it did. Returns nothing
/// unless another recording does the same work with an input of another size.
std::optional<ReplicaFinding> compare_replicas(const std::vector<const Recording*>& recordings,
                                               const std::vector<std::string>& names,
                                               std::optional<std::size_t> failed, std::uint64_t capacity);

/// Computes which share of the batch of the failed iteration would have fitted, by extrapolation from the
/// previous iteration.
std::optional<MemoryExtrapolation> compare_iterations(const Recording& recording,
                                                      const std::vector<Lifetime>& lifetimes,
                                                      const Iterations& iterations, std::size_t failed,
                                                      std::uint64_t capacity);

}  // namespace molgauge::allocator
