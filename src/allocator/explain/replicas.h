#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "allocator/explain/iterations.h"
#include "allocator/explain/lifetimes.h"
#include "headroom/memory_explanation.h"

namespace headroom::allocator {

/// Work that was done twice: on two devices, by two ranks, or in two iterations.
struct Likeness {
  std::size_t matched = 0, asked = 0;  ///< requests of the one that the other made too, of all that it made
  /// Of the sizes that differ: the ratio that the most bytes have.
  double ratio = 1;
  std::uint64_t equal_bytes = 0;  ///< of requests of the same size: what does not follow the input
};

/// Compares the requests between two events of two recordings, stack by stack, the k-th with the k-th.
Likeness likeness(const Recording& one, std::size_t one_begin, std::size_t one_end, const Recording& other,
                  std::size_t other_begin, std::size_t other_end);

/// What a replica on another device or in another process says about the one that is explained.
struct ReplicaFinding {
  MemoryImbalance imbalance;
  /// Where the one explained ran out and the other did the same work to its end.
  std::optional<MemoryExtrapolation> extrapolation;
};

/// `recordings`: the first is explained, `failed` the event with which its memory ran out; none: it did not.
/// `names`: of all. None where no other does the same work with an input of different size.
std::optional<ReplicaFinding> compare_replicas(const std::vector<const Recording*>& recordings,
                                               const std::vector<std::string>& names,
                                               std::optional<std::size_t> failed, std::uint64_t capacity);

/// How much of the batch of the iteration that failed would have fitted, from the one before it.
std::optional<MemoryExtrapolation> compare_iterations(const Recording& recording,
                                                      const std::vector<Lifetime>& lifetimes,
                                                      const Iterations& iterations, std::size_t failed,
                                                      std::uint64_t capacity);

}  // namespace headroom::allocator
