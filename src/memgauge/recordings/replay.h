#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "memgauge/recordings/recording.h"
#include "memgauge/simulator/allocator_state.h"

namespace molgauge::allocator {

struct ReplayOptions {
  AllocatorSettings settings;
  std::uint64_t capacity = DeviceMemory::kUnlimited;  ///< bytes that the process can reserve
  /// The total memory of the card. The memory fraction and the garbage collection threshold are shares of it.
  /// If empty, it is equal to `capacity`.
  std::optional<std::uint64_t> card;
  /// The replay stops before this event.
  std::size_t stop_before = std::numeric_limits<std::size_t>::max();
  /// The last events of the intervals of the timeline, in ascending order. See even_stretches(). If empty,
  /// the replay records no timeline.
  std::vector<std::size_t> stretch_ends;

  // Simulated changes of the program.
  /// Returns the number of bytes to request instead of MemoryEvent::bytes.
  std::function<std::uint64_t(const MemoryEvent&)> change_request;
  /// The events after which the replay calls empty_cache(), ascending.
  std::vector<std::size_t> empty_cache_after_events;

  /// Called after each event. The arguments are the index of the event, and the allocator.
  std::function<void(std::size_t, const CachingAllocator&)> after_event;
};

/// The first request that failed.
struct OutOfMemoryEvent {
  std::size_t event = 0;
  std::uint64_t requested = 0;                ///< bytes
  std::uint64_t allocated = 0, reserved = 0;  ///< bytes that remained after as much of the cache as possible
                                              ///< was released
  std::uint64_t device_free = 0;              ///< bytes that the driver reported as free
  IdleMemory idle;
};

/// An interval of the run: the highest values of `reserved` and `allocated` in it, and the idle memory at its
/// end.
struct TimelinePoint {
  std::size_t event = 0;  ///< the last event of the interval
  std::uint64_t reserved = 0, allocated = 0;
  IdleMemory idle;
};

struct ReplayResult {
  AllocatorStatistics statistics;  ///< statistics at the end
  IdleMemory idle;                 ///< idle memory at the end
  std::size_t events_run = 0;
  std::size_t peak_reserved_event = 0, peak_allocated_event = 0;  ///< the events that first reach the peaks
  /// The first failed request. The replay stops there unless the request also failed in the recorded program,
  /// which then continued.
  std::optional<OutOfMemoryEvent> run_out;
  bool stopped = false;
  std::vector<TimelinePoint> timeline;
};

/// Divides `events` events into at most `count` intervals. Returns the last event of each.
std::vector<std::size_t> even_stretches(std::size_t events, std::size_t count);

/// Replays a recording with the simulated allocator. A request that failed in the recorded program is
/// repeated. If it succeeds, its memory is freed immediately.
ReplayResult replay(const Recording& recording, const ReplayOptions& options);

/// Whether a replay with these options begins with the recorded segments (Recording::start_segments). This is
/// the case if the segments are known and fit the card. It does not depend on the settings. Otherwise, the
/// replay begins without cached memory, and allocates the residents next to each other.
bool begins_as_recorded(const Recording& recording, const ReplayOptions& options);

/// Returns the segments of a replay immediately before `event`.
std::vector<SegmentPicture> picture_at(const Recording& recording, ReplayOptions options, std::size_t event);

}  // namespace molgauge::allocator
