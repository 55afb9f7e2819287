#pragma once

#include <algorithm>
#include <cstdint>

namespace molgauge::allocator {

/// A figure and its highest value so far.
struct Gauge {
  std::uint64_t now = 0, peak = 0;

  void add(std::uint64_t bytes) {
    now += bytes;
    peak = std::max(peak, now);
  }
  void subtract(std::uint64_t bytes) { now -= bytes; }
};

/// The simulated counterparts of the figures in torch.cuda.memory_stats().
struct AllocatorStatistics {
  Gauge reserved;                        ///< bytes of segments and mapped pages
  Gauge active;                          ///< bytes of blocks that are allocated or pending
  Gauge allocated;                       ///< bytes of blocks with a live tensor, after rounding
  Gauge requested;                       ///< bytes of blocks with a live tensor, before rounding
  std::uint64_t device_allocations = 0;  ///< successful requests to the driver
  std::uint64_t device_frees = 0;
  std::uint64_t retries = 0;  ///< requests for which the whole cache was released
  std::uint64_t out_of_memory = 0;
};

}  // namespace molgauge::allocator
