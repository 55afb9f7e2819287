#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headroom/memory_explanation.h"
#include "memory/allocator/explain/iterations.h"
#include "memory/allocator/explain/lifetimes.h"

namespace headroom::allocator {

/// Comparison of work that was done twice: on two devices, by two ranks, or in two iterations.
struct Likeness {
  std::size_t matched = 0, asked = 0;  ///< requests that both made; all requests of the first
  /// Ratio of the sizes that differ: the one with most bytes.
  double ratio = 1;
  std::uint64_t equal_bytes = 0;  ///< bytes of requests of equal size, which do not follow the input
};

/// Compares the requests between two events of two recordings, stack by stack, the k-th with the k-th.
Likeness likeness(const Recording& one, std::size_t one_begin, std::size_t one_end, const Recording& other,
                  std::size_t other_begin, std::size_t other_end);

/// The comparison of the explained process or device with a replica.
struct ReplicaFinding {
  MemoryImbalance imbalance;
  /// Set if the explained one ran out of memory and the replica finished the same work.
  std::optional<MemoryExtrapolation> extrapolation;
};

/// `recordings`: the first is explained. `names`: of all recordings. `failed`: the event at which the memory
/// of the first ran out, if it did. Returns none unless another recording does the same work with an input of
/// different size.
std::optional<ReplicaFinding> compare_replicas(const std::vector<const Recording*>& recordings,
                                               const std::vector<std::string>& names,
                                               std::optional<std::size_t> failed, std::uint64_t capacity);

/// The share of the batch of the failed iteration that would have fitted, by comparison with the previous
/// iteration.
std::optional<MemoryExtrapolation> compare_iterations(const Recording& recording,
                                                      const std::vector<Lifetime>& lifetimes,
                                                      const Iterations& iterations, std::size_t failed,
                                                      std::uint64_t capacity);

}  // namespace headroom::allocator
