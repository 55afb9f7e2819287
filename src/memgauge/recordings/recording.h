#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memgauge/simulator/allocator_state.h"

namespace molgauge::allocator {

enum class EventKind : std::uint8_t {
  allocate,
  free,           ///< freed, and no stream uses the memory
  request_free,   ///< freed, but another stream may still use the memory
  complete_free,  ///< no other stream uses the memory any longer
  out_of_memory,  ///< the recorded program got no memory for a request of `bytes`
  empty_cache,    ///< the program called torch.cuda.empty_cache()
  begin_phase,
  end_phase,
};

/// An action of a recorded program. Allocations are numbered from 0 in the order in which they appear.
struct MemoryEvent {
  std::uint64_t bytes = 0;       ///< requested bytes, before rounding
  std::uint32_t allocation = 0;  ///< number of the allocation that the event allocates or frees
  StreamNumber stream = 0;
  std::uint32_t origin = 0;  ///< index in Recording::origins: the requesting stack, or the name of a phase
  EventKind kind = EventKind::allocate;
};

/// The reserved memory of the recorded program.
struct RecordedReserve {
  std::uint64_t peak_bytes = 0, bytes_at_end = 0, bytes_at_start = 0;
};

/// A change of the reserved memory. From `event` on, the recorded allocator has reserved `bytes`. It
/// requested or released the memory immediately before `event`.
struct ReserveChange {
  std::size_t event = 0;
  std::uint64_t bytes = 0;
};

struct PlacedSegment {
  std::uint64_t address = 0, bytes = 0;
};

/// The name of a request without a recorded stack.
inline constexpr const char* kNoStack = "no stack recorded";
/// The origin of an allocation that a trace recorded between phases.
inline constexpr const char* kNoPhase = "outside any phase";

/// Facts from a recorded stack, in addition to its short name.
struct StackSummary {
  std::string operation;  ///< operator or autograd node from the C++ frames of PyTorch; empty if unknown
  std::vector<std::string>
      frames;         ///< up to five, frames of the user before frames of libraries, innermost first
  std::string place;  ///< frame of the user that called the constructor or made the request; empty if none
  bool in_backward = false, in_optimizer = false;
  bool in_evaluation = false;  ///< a function of the user has a name such as evaluate or validate
  bool builds_model = false;   ///< the request comes from a constructor, from moving a module to a device, or
                               ///< from loading a checkpoint
  bool builds_in_torch = false;  ///< PyTorch itself builds, moves or loads the modules
  bool in_forward = false;       ///< the request comes from a module call, a forward() or torch.nn.functional
  bool is_cast = false;          ///< a copy of an operand for autocast
  bool has_frames = false;       ///< frames were recorded, even if none is shown
  bool is_workspace = false;     ///< scratch memory of cuBLAS, cuDNN or NCCL
};

/// A device of a snapshot.
struct RecordedDevice {
  std::size_t device = 0;
  std::size_t events = 0, out_of_memory = 0;
  std::uint64_t reserved_bytes = 0, in_use_bytes = 0;  ///< bytes at the end of the recording
  std::uint64_t peak_reserved_bytes = 0;
};

/// The first failed request of the recorded program, and the state at that moment.
struct RecordedFailure {
  std::size_t event = 0;
  std::uint64_t device_free = 0;  ///< bytes that the driver reported as free
  std::uint64_t reserved = 0;     ///< bytes that the allocator had reserved
  /// The segments at the failure. The list is empty if they are unknown.
  std::vector<SegmentPicture> segments;
};

/// Bounds of the bytes that a process may reserve, if the program has set a memory fraction. `least`: lower
/// bound, because the process had reserved these bytes. `most`: upper bound, because a larger request was
/// refused although the driver had free memory.
struct RecordedAllowance {
  std::uint64_t least = 0, most = 0;
};

/// The platform of a snapshot. It is derived from frames and settings.
enum class Platform : std::uint8_t { cuda, rocm, xpu };

/// The time of an event.
struct TimeMark {
  std::size_t event = 0;
  std::uint64_t time_us = 0;  ///< microseconds since 1970
};

/// The requests of a program, without the decisions of the allocator. The requests can be replayed with any
/// settings.
struct Recording {
  std::string source;    ///< the file, for messages
  std::string format;    ///< "molgauge trace", "PyTorch snapshot"
  std::string settings;  ///< settings of the recorded program, in the form of PYTORCH_CUDA_ALLOC_CONF
  std::optional<std::uint64_t> capacity;  ///< maximum number of bytes that this program could have reserved
  /// The lower bound of the capacity, if the capacity was derived from requests that released the whole
  /// cache. `capacity` is then the upper bound.
  std::optional<std::uint64_t> least_capacity;
  std::optional<RecordedAllowance> allowance;  ///< bounds of a memory fraction that is not in `settings`
  std::optional<RecordedFailure> failure;
  Platform platform = Platform::cuda;
  bool on_windows = false;  ///< the frames have Windows paths
  std::vector<MemoryEvent> events;
  std::vector<std::string>
      origins;  ///< names of phases ("train / forward"), or of the nearest frame in code of the user
  std::vector<StackSummary> stacks;  ///< the stack of each origin. Empty unless the recording is a snapshot
  std::size_t allocations = 0;
  /// The number of events at the beginning that represent memory from before the recording. This memory was
  /// already live when the recording began.
  std::size_t residents = 0;
  std::uint64_t events_dropped = 0;  ///< events that a ring buffer dropped at the beginning
  bool is_complete = true;           ///< false if the recording was cut off
  /// The tensors were on a CPU, whose allocator has no cache and no settings.
  bool is_of_cpu = false;
  std::optional<RecordedReserve> recorded_reserve;
  std::vector<ReserveChange> reserve_changes;  ///< changes by event; empty if no segment was added or
                                               ///< released
  /// Counts of the recorded program: requests for which its cache was released, and calls of empty_cache().
  std::size_t recorded_retries = 0, recorded_empty_cache = 0;
  std::vector<TimeMark> times;  ///< times of some events, ascending; empty if not recorded

  /// The segments when the recording began: memory of the residents, and free memory. The list is empty if
  /// there were no segments. It is also empty if the segments could not be reconstructed. `start_unknown` is
  /// then the reason.
  std::vector<SegmentPicture> start_segments;
  std::string start_unknown;
  std::vector<StreamNumber> private_streams;  ///< streams of private pools
  /// Addresses of the segments that the driver added during the recording, in order.
  std::vector<PlacedSegment> placed_segments;

  std::vector<std::string> unknown_words;  ///< notes about unknown parts of the file
  std::size_t device = 0;
  std::vector<RecordedDevice> devices;            ///< all devices of the snapshot; empty for a trace
  std::vector<SegmentPicture> recorded_segments;  ///< recorded state at the end. Empty for a trace

  /// The number of requests, frees and failures after the start. Phases and emptied caches do not count.
  std::size_t memory_events = 0;

  /// Returns false if the recording shows only one moment: a snapshot without a trace or with a single event.
  /// However, a single event counts as a history if it is a failed request.
  bool has_history() const { return events.size() > residents && (memory_events > 1 || failure.has_value()); }
};

}  // namespace molgauge::allocator
