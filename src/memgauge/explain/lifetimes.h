#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "memgauge/recordings/recording.h"

namespace molgauge::allocator {

/// An allocation and the events that requested and freed it.
struct Lifetime {
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

  std::uint64_t bytes = 0;  ///< requested bytes
  std::uint32_t born = 0, died = kNever;
  std::uint32_t origin = 0;
  bool resident = false;  ///< already live when the recording began

  bool lives_after(std::size_t event) const { return born <= event && died > event; }
};

/// The lifetimes of the allocations of a recording. A lifetime ends with the request to free. Later use by
/// another stream is not counted.
std::vector<Lifetime> lifetimes_of(const Recording& recording);

/// The highest sum of live bytes.
struct LivePeak {
  std::size_t event = 0;
  std::uint64_t bytes = 0;
};

/// Finds the highest sum of live bytes before the event `end`. `size_of` returns the size of an allocation.
/// To find the peak of a changed program, it returns changed sizes.
LivePeak live_peak(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                   const std::function<std::uint64_t(std::size_t allocation)>& size_of,
                   std::size_t end = std::numeric_limits<std::size_t>::max());
LivePeak live_peak(const Recording& recording, const std::vector<Lifetime>& lifetimes);

/// The highest sum of live bytes of each interval. `ends`: the last event of each interval, ascending.
std::vector<LivePeak> live_peaks(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                                 const std::vector<std::size_t>& ends);

/// Requested bytes that are live after `event`.
std::uint64_t live_after(const std::vector<Lifetime>& lifetimes, std::size_t event);

/// Returns the summary of the stack of an origin. Allocation traces contain no stacks, so the summary is
/// empty.
const StackSummary& stack_of(const Recording& recording, std::uint32_t origin);

}  // namespace molgauge::allocator
