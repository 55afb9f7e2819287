#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "allocator/recordings/recording.h"
#include "allocator/simulator/allocator_state.h"

namespace headroom::allocator {

struct ReplayOptions {
  AllocatorSettings settings;
  std::uint64_t capacity = DeviceMemory::kUnlimited;  ///< bytes of the card
  /// Stop before this event.
  std::size_t stop_before = std::numeric_limits<std::size_t>::max();
  /// The events with which the stretches of the timeline end, ascending; see even_stretches(). Empty: no
  /// timeline.
  std::vector<std::size_t> stretch_ends;

  /// Begin with the segments that were there when the recording began (Recording::start_segments), as far as
  /// they are known and fit the card. Else what lived before is laid out anew, without gaps and cache.
  bool from_start_state = true;

  // What the program could have done otherwise.
  /// Bytes to ask for instead of what the event asks for.
  std::function<std::uint64_t(const MemoryEvent&)> change_request;
  /// empty_cache() after each of these events, ascending.
  std::vector<std::size_t> empty_cache_after_events;

  /// Called after each event, with the allocator as it is then.
  std::function<void(std::size_t, const CachingAllocator&)> after_event;
};

/// The first request that got no memory.
struct RunOut {
  std::size_t event = 0;
  std::uint64_t requested = 0;                ///< bytes
  std::uint64_t allocated = 0, reserved = 0;  ///< with the cache released as far as it can be
  std::uint64_t device_free = 0;              ///< what the driver had left
  IdleMemory idle;
};

/// A stretch of the run. Highest values within it, but for idle memory, which is that at its end.
struct TimelinePoint {
  std::size_t event = 0;  ///< the last one of the stretch
  std::uint64_t reserved = 0, allocated = 0;
  IdleMemory idle;
};

struct ReplayResult {
  AllocatorStatistics statistics;  ///< at the end
  IdleMemory idle;                 ///< at the end
  std::size_t events_run = 0;
  std::size_t peak_reserved_event = 0, peak_allocated_event = 0;  ///< where the peaks are first reached
  /// The first request that got no memory. The replay stops there, unless the request failed in the recorded
  /// program too: that went on without.
  std::optional<RunOut> run_out;
  bool stopped = false;
  std::vector<TimelinePoint> timeline;
};

/// The last events of at most `count` stretches of `events` events.
std::vector<std::size_t> even_stretches(std::size_t events, std::size_t count);

/// Runs a recording through the simulated allocator. A request that failed when it was recorded is tried
/// again; where it is served now, it is freed at once.
ReplayResult replay(const Recording& recording, const ReplayOptions& options);

/// Does a replay with these options begin with the recorded start state?
bool begins_as_recorded(const Recording& recording, const ReplayOptions& options);

/// The segments once the events before `event` are done.
std::vector<SegmentPicture> picture_at(const Recording& recording, ReplayOptions options, std::size_t event);

}  // namespace headroom::allocator
