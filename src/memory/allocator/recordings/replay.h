#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "memory/allocator/recordings/recording.h"
#include "memory/allocator/simulator/allocator_state.h"

namespace headroom::allocator {

struct ReplayOptions {
  AllocatorSettings settings;
  std::uint64_t capacity = DeviceMemory::kUnlimited;  ///< bytes that the process can reserve
  /// The whole memory of the card, of which the memory fraction and the garbage collection threshold are
  /// shares. None: the capacity.
  std::optional<std::uint64_t> card;
  /// Stop before this event.
  std::size_t stop_before = std::numeric_limits<std::size_t>::max();
  /// The last events of the timeline's stretches, ascending; see even_stretches(). Empty: no
  /// timeline.
  std::vector<std::size_t> stretch_ends;

  // Changes of the program to simulate.
  /// Bytes to request instead of those of the event.
  std::function<std::uint64_t(const MemoryEvent&)> change_request;
  /// Calls empty_cache() after each of these events, ascending.
  std::vector<std::size_t> empty_cache_after_events;

  /// Called after each event, with the allocator in its state then.
  std::function<void(std::size_t, const CachingAllocator&)> after_event;
};

/// The first request that failed.
struct OutOfMemoryEvent {
  std::size_t event = 0;
  std::uint64_t requested = 0;                ///< bytes
  std::uint64_t allocated = 0, reserved = 0;  ///< with the cache released as far as possible
  std::uint64_t device_free = 0;              ///< bytes that the driver had left
  IdleMemory idle;
};

/// A stretch of the run. Highest values within it; idle memory is that at its end.
struct TimelinePoint {
  std::size_t event = 0;  ///< the last event of the stretch
  std::uint64_t reserved = 0, allocated = 0;
  IdleMemory idle;
};

struct ReplayResult {
  AllocatorStatistics statistics;  ///< at the end
  IdleMemory idle;                 ///< at the end
  std::size_t events_run = 0;
  std::size_t peak_reserved_event = 0, peak_allocated_event = 0;  ///< the events that first reach the peaks
  /// The first request that failed. The replay stops there, unless the request failed in the recorded
  /// program, too, which then continued without it.
  std::optional<OutOfMemoryEvent> run_out;
  bool stopped = false;
  std::vector<TimelinePoint> timeline;
};

/// The last events of at most `count` stretches of `events` events.
std::vector<std::size_t> even_stretches(std::size_t events, std::size_t count);

/// Replays a recording with the simulated allocator. A request that failed when it was recorded is tried
/// again; if it succeeds now, it is freed at once.
ReplayResult replay(const Recording& recording, const ReplayOptions& options);

/// Whether a replay with these options begins with the segments that existed when the recording began
/// (Recording::start_segments), whatever the settings: if they are known and fit the card. Otherwise the
/// residents are placed from scratch, without gaps and cache.
bool begins_as_recorded(const Recording& recording, const ReplayOptions& options);

/// The segments after the events before `event`.
std::vector<SegmentPicture> picture_at(const Recording& recording, ReplayOptions options, std::size_t event);

}  // namespace headroom::allocator
