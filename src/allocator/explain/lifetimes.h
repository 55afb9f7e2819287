#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "allocator/recordings/recording.h"

namespace headroom::allocator {

/// An allocation from the event that asked for it to the one that freed it.
struct Lifetime {
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();

  std::uint64_t bytes = 0;  ///< asked for
  std::uint32_t born = 0, died = kNever;
  std::uint32_t origin = 0;
  bool resident = false;  ///< it lived before the recording began

  bool lives_after(std::size_t event) const { return born <= event && died > event; }
};

/// The lifetimes of a recording's allocations, by allocation. Dead from the request to free on: what another
/// stream still uses is not counted.
std::vector<Lifetime> lifetimes_of(const Recording& recording);

/// The highest sum of the living.
struct LivePeak {
  std::size_t event = 0;
  std::uint64_t bytes = 0;
};

/// With `size_of` in place of the sizes: what another program would have held. `end`: stop before this event.
LivePeak live_peak(const Recording& recording, const std::vector<Lifetime>& lifetimes,
                   const std::function<std::uint64_t(std::size_t allocation)>& size_of,
                   std::size_t end = std::numeric_limits<std::size_t>::max());
LivePeak live_peak(const Recording& recording, const std::vector<Lifetime>& lifetimes);

/// Asked-for bytes that live once `event` is done.
std::uint64_t live_after(const std::vector<Lifetime>& lifetimes, std::size_t event);

/// What the stack of an origin says; of traces nothing.
const StackSummary& stack_of(const Recording& recording, std::uint32_t origin);

}  // namespace headroom::allocator
