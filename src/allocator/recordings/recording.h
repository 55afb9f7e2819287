#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "allocator/simulator/allocator_state.h"

namespace headroom::allocator {

enum class EventKind : std::uint8_t {
  allocate,
  free,           ///< dead, and no stream uses it any more
  request_free,   ///< dead, another stream may still use it
  complete_free,  ///< now no stream does
  out_of_memory,  ///< the recorded program got no memory for a request of `bytes`
  empty_cache,    ///< the program called torch.cuda.empty_cache()
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
  std::uint64_t peak_bytes = 0, bytes_at_end = 0, bytes_at_start = 0;
};

/// From the end of the event before `event` on, the real allocator had reserved this much.
struct ReserveChange {
  std::size_t event = 0;
  std::uint64_t bytes = 0;
};

struct PlacedSegment {
  std::uint64_t address = 0, bytes = 0;
};

/// What a recorded stack says beside its short name.
struct StackSummary {
  std::string operation;            ///< operator or autograd node of PyTorch's C++ frames; empty: not known
  std::vector<std::string> frames;  ///< up to five, the user's before those of libraries, innermost first
  std::string place;                ///< the user's frame that called the constructors, or asked; empty: none
  bool in_backward = false, in_optimizer = false;
  bool in_evaluation = false;  ///< a function of the user's whose name says so: evaluate, validate, ...
  bool builds_model = false;   ///< a constructor, a move of a module to a device, a checkpoint that is loaded
  bool is_workspace = false;   ///< scratch memory of cuBLAS, cuDNN or a communicator
};

/// A device of a snapshot, whichever of them is explained.
struct RecordedDevice {
  std::size_t device = 0;
  std::size_t events = 0, out_of_memory = 0;
  std::uint64_t reserved_bytes = 0, in_use_bytes = 0;  ///< at the end
  std::uint64_t peak_reserved_bytes = 0;
};

/// When an event happened.
struct TimeMark {
  std::size_t event = 0;
  std::uint64_t time_us = 0;  ///< since 1970
};

/// What a program asked of the allocator, free of what the allocator made of it: it can be run again under
/// any settings.
struct Recording {
  std::string source;                     ///< the file, for messages
  std::string format;                     ///< "headroom trace", "PyTorch snapshot"
  std::string settings;                   ///< of the recorded program, as PYTORCH_CUDA_ALLOC_CONF has them
  std::optional<std::uint64_t> capacity;  ///< bytes this program could have reserved at most
  /// Where `capacity` is concluded from requests for which the whole cache was released: it may be less, but
  /// not less than this.
  std::optional<std::uint64_t> least_capacity;
  std::vector<MemoryEvent> events;
  std::vector<std::string> origins;  ///< phases ("train / forward") or the nearest frame of the caller's
  std::vector<StackSummary> stacks;  ///< by origin; of snapshots, else empty
  std::size_t allocations = 0;
  /// The first events, which bring in what already lived when the recording began.
  std::size_t residents = 0;
  std::uint64_t events_dropped = 0;  ///< by a ring buffer, before the first one kept
  bool is_complete = true;           ///< false: the recording was cut off
  /// Of tensors on a CPU, whose allocator keeps no cache and has no settings.
  bool is_of_cpu = false;
  std::optional<RecordedReserve> recorded_reserve;
  std::vector<ReserveChange> reserve_changes;  ///< by event; empty where no segment came or went
  /// Of the program itself: requests for which it released its cache, and calls of empty_cache().
  std::size_t recorded_retries = 0, recorded_empty_cache = 0;
  std::vector<TimeMark> times;  ///< of every so many events, ascending; empty: not recorded

  /// Segments when the recording began: what the residents lay in, and what was free. Empty where there were
  /// none, or `start_unknown` says why they could not be found.
  std::vector<SegmentPicture> start_segments;
  std::string start_unknown;
  /// Where the driver put the segments that came during the recording, in their order.
  std::vector<PlacedSegment> placed_segments;

  std::size_t device = 0;
  std::vector<RecordedDevice> devices;            ///< all of the snapshot; empty for a trace
  std::vector<SegmentPicture> recorded_segments;  ///< as they really were at the end; of snapshots

  /// A snapshot without a trace, or whose only event is the dump: nothing that could be run again.
  bool has_history() const { return events.size() > residents; }
};

}  // namespace headroom::allocator
