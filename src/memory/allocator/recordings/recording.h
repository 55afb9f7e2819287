#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memory/allocator/simulator/allocator_state.h"

namespace headroom::allocator {

enum class EventKind : std::uint8_t {
  allocate,
  free,           ///< freed; no stream uses the memory any more
  request_free,   ///< freed, but another stream may still use the memory
  complete_free,  ///< no other stream uses the memory any more
  out_of_memory,  ///< the recorded program got no memory for a request of `bytes`
  empty_cache,    ///< the program called torch.cuda.empty_cache()
  begin_phase,
  end_phase,
};

/// An action of a recorded program. Allocations are numbered from 0 in the order in which they appear.
struct MemoryEvent {
  std::uint64_t bytes = 0;       ///< requested bytes, before rounding
  std::uint32_t allocation = 0;  ///< number of the allocation; for allocations and frees
  StreamNumber stream = 0;
  std::uint32_t origin = 0;  ///< index in Recording::origins: the requesting stack; for phases, their name
  EventKind kind = EventKind::allocate;
};

/// The reserved memory of the recorded program.
struct RecordedReserve {
  std::uint64_t peak_bytes = 0, bytes_at_end = 0, bytes_at_start = 0;
};

/// The bytes that the allocator of the recorded program had reserved, from the end of the event before
/// `event`.
struct ReserveChange {
  std::size_t event = 0;
  std::uint64_t bytes = 0;
};

struct PlacedSegment {
  std::uint64_t address = 0, bytes = 0;
};

/// The name of a request whose stack was not recorded.
inline constexpr const char* kNoStack = "no stack recorded";

/// The facts in a recorded stack, in addition to its short name.
struct StackSummary {
  std::string operation;            ///< operator or autograd node of PyTorch's C++ frames; empty: not known
  std::vector<std::string> frames;  ///< up to five, the user's before those of libraries, innermost first
  std::string place;                ///< the user's frame that called the constructors, or asked; empty: none
  bool in_backward = false, in_optimizer = false;
  bool in_evaluation = false;  ///< a user's function has a name such as evaluate, validate, ...
  bool builds_model = false;   ///< a constructor, a move of a module to a device, loading a checkpoint
  bool in_forward = false;     ///< within a call of a module, a forward() or torch.nn.functional
  bool is_cast = false;        ///< a copy that autocast makes of an operand
  bool has_frames = false;     ///< frames were recorded, even if none of them is shown
  bool is_workspace = false;   ///< scratch memory of cuBLAS, cuDNN or a communicator
};

/// A device of a snapshot.
struct RecordedDevice {
  std::size_t device = 0;
  std::size_t events = 0, out_of_memory = 0;
  std::uint64_t reserved_bytes = 0, in_use_bytes = 0;  ///< at the end
  std::uint64_t peak_reserved_bytes = 0;
};

/// The first request that failed in the recorded program, and the state then.
struct RecordedFailure {
  std::size_t event = 0;
  std::uint64_t device_free = 0;  ///< bytes that the driver had left
  std::uint64_t reserved = 0;     ///< bytes of the allocator
  /// The segments at that moment. Empty if they are not known.
  std::vector<SegmentPicture> segments;
};

/// The memory that a process may reserve if the program set a memory fraction. It is at least `least` bytes,
/// because the process had reserved them. It is at most `most` bytes, because a request for more was refused
/// although the driver had free memory.
struct RecordedAllowance {
  std::uint64_t least = 0, most = 0;
};

/// Where a snapshot comes from, if its frames or settings tell.
enum class Platform : std::uint8_t { cuda, rocm, xpu };

/// The time of an event.
struct TimeMark {
  std::size_t event = 0;
  std::uint64_t time_us = 0;  ///< since 1970
};

/// The requests of a program, independent of the decisions of the allocator. They can be replayed under any
/// settings.
struct Recording {
  std::string source;                     ///< the file, for messages
  std::string format;                     ///< "headroom trace", "PyTorch snapshot"
  std::string settings;                   ///< of the recorded program, in the form of PYTORCH_CUDA_ALLOC_CONF
  std::optional<std::uint64_t> capacity;  ///< bytes this program could have reserved at most
  /// The lower bound of the capacity, if it is derived from requests that released the whole cache.
  /// `capacity` is then the upper bound.
  std::optional<std::uint64_t> least_capacity;
  std::optional<RecordedAllowance> allowance;  ///< a memory fraction that the settings do not contain
  std::optional<RecordedFailure> failure;
  Platform platform = Platform::cuda;
  bool on_windows = false;  ///< paths of the frames are of Windows
  std::vector<MemoryEvent> events;
  std::vector<std::string> origins;  ///< phases ("train / forward") or the nearest frame of the caller's
  std::vector<StackSummary> stacks;  ///< by origin; snapshots only, else empty
  std::size_t allocations = 0;
  /// Number of the first events that stand for memory that was live when the recording began.
  std::size_t residents = 0;
  std::uint64_t events_dropped = 0;  ///< dropped by a ring buffer, before the first one kept
  bool is_complete = true;           ///< false: the recording was cut off
  /// The tensors were on a CPU. Its allocator has neither a cache nor settings.
  bool is_of_cpu = false;
  std::optional<RecordedReserve> recorded_reserve;
  std::vector<ReserveChange> reserve_changes;  ///< by event; empty where no segment came or went
  /// Counts of the program itself: requests for which it released its cache, and calls of empty_cache().
  std::size_t recorded_retries = 0, recorded_empty_cache = 0;
  std::vector<TimeMark> times;  ///< one for every so many events, ascending; empty: not recorded

  /// Segments when the recording began: the memory of the residents, and free memory. Empty without segments,
  /// or if they could not be found. `start_unknown` then gives the reason.
  std::vector<SegmentPicture> start_segments;
  std::string start_unknown;
  std::vector<StreamNumber> private_streams;  ///< streams of private pools
  /// Addresses that the driver chose for segments during the recording, in their order.
  std::vector<PlacedSegment> placed_segments;

  std::vector<std::string> unknown_words;  ///< notes about parts of the file that have no known meaning
  std::size_t device = 0;
  std::vector<RecordedDevice> devices;            ///< all of the snapshot; empty for a trace
  std::vector<SegmentPicture> recorded_segments;  ///< as they really were at the end; of snapshots

  /// Requests, frees and failures after the start. Phases and emptied caches are not counted.
  std::size_t memory_events = 0;

  /// False if the recording shows one moment only: a snapshot without a trace, or with one event. A single
  /// event is a history if it is a request that failed.
  bool has_history() const { return events.size() > residents && (memory_events > 1 || failure.has_value()); }
};

}  // namespace headroom::allocator
