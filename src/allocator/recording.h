#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "allocator/allocator_state.h"

namespace headroom::allocator {

enum class EventKind : std::uint8_t {
  allocate,
  free,           ///< dead, and no stream uses it any more
  request_free,   ///< dead, another stream may still use it
  complete_free,  ///< now no stream does
  out_of_memory,  ///< the recorded program got no memory for a request of `bytes`
  begin_phase,
  end_phase,
};

/// One thing a recorded program did. Allocations are numbered from 0 in the order in which they appear.
struct MemoryEvent {
  std::uint64_t bytes = 0;       ///< asked for, before any rounding
  std::uint32_t allocation = 0;  ///< which one; of allocations and frees
  StreamNumber stream = 0;
  std::uint32_t origin = 0;  ///< of requests: who asked, in Recording::origins; of phases: their name
  EventKind kind = EventKind::allocate;
};

/// What really happened to reserved memory, where the recording tells.
struct RecordedReserve {
  std::uint64_t peak_bytes = 0, bytes_at_end = 0;
};

/// What a program asked of the allocator, free of what the allocator made of it: it can be run again under
/// any settings.
struct Recording {
  std::string source;                     ///< the file, for messages
  std::string format;                     ///< "headroom trace", "PyTorch snapshot"
  std::string settings;                   ///< of the recorded program, as PYTORCH_CUDA_ALLOC_CONF has them
  std::optional<std::uint64_t> capacity;  ///< bytes this program could have reserved at most
  std::vector<MemoryEvent> events;
  std::vector<std::string> origins;  ///< phases ("train / forward") or the nearest frame of the caller's
  std::size_t allocations = 0;
  /// The first events, which bring in what already lived when the recording began.
  std::size_t residents = 0;
  std::uint64_t events_dropped = 0;  ///< by a ring buffer, before the first one kept
  bool is_complete = true;           ///< false: the recording was cut off
  /// Of tensors on a CPU, whose allocator keeps no cache and has no settings.
  bool is_of_cpu = false;
  std::optional<RecordedReserve> recorded_reserve;
  std::vector<SegmentPicture> recorded_segments;  ///< as they really were at the end; of snapshots
};

}  // namespace headroom::allocator
