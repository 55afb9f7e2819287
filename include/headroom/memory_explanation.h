#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// `headroom memory simulate`: a recorded program under other allocator settings and on another card.
struct SimulateMemoryRequest {
  std::string trace;  ///< allocation trace of headroom or PyTorch memory snapshot, each also gzipped
  /// As PYTORCH_CUDA_ALLOC_CONF, one simulation each; none: those of the recorded program.
  std::vector<std::string> settings;
  std::optional<std::uint64_t> capacity_bytes;  ///< of the card; none: what was recorded, else without limit
  std::optional<std::size_t> device;            ///< of a snapshot of several; none: the busiest
};

/// A stretch of a run: highest values within it, idle memory at its end.
struct MemoryTimelinePoint {
  std::size_t event = 0;  ///< the last one of the stretch
  std::uint64_t reserved_bytes = 0, allocated_bytes = 0;
  std::uint64_t cached_bytes = 0;    ///< reserved, and nothing lives in it
  std::uint64_t stranded_bytes = 0;  ///< the part that cannot go back: its segment or page is in use
  std::uint64_t largest_free_block_bytes = 0;  ///< what the largest request without new memory could have
};

/// A request that got no memory, and what was there then.
struct MemoryRunOut {
  std::size_t event = 0;
  std::string phase;  ///< the phases or the stack that asked
  std::uint64_t requested_bytes = 0, allocated_bytes = 0, reserved_bytes = 0, device_free_bytes = 0;
  std::uint64_t stranded_bytes = 0, largest_free_block_bytes = 0;
};

struct SimulatedMemory {
  std::string settings;
  bool fits = true;
  std::optional<MemoryRunOut> run_out;  ///< where it ends if it does not fit
  std::uint64_t peak_reserved_bytes = 0, peak_allocated_bytes = 0, peak_active_bytes = 0;
  std::uint64_t retries = 0;  ///< requests for which the whole cache was released
  std::uint64_t device_allocations = 0;
  std::vector<MemoryTimelinePoint> timeline;
  std::vector<std::string> settings_without_effect;
};

/// What a simulation under the recorded settings reserved, beside what the real allocator had reserved.
struct SimulationAgreement {
  std::size_t compared_events = 0, different_events = 0;
  std::optional<std::size_t> first_different_event;
  std::uint64_t simulated_peak_bytes = 0, recorded_peak_bytes = 0;
  bool same_blocks_at_end = false;  ///< all segments and their blocks, but for addresses
};

struct SimulateMemoryReport {
  std::string source, format;
  std::size_t device = 0;
  std::size_t events = 0, allocations = 0;
  std::optional<std::uint64_t> capacity_bytes;
  std::vector<std::string> notes;  ///< what was missing in the recording
  std::optional<SimulationAgreement> agreement;  ///< of the recorded settings, where segments were recorded
  std::vector<SimulatedMemory> runs;
  std::string json;  ///< all of this
};

/// `headroom memory explain`: why memory ran out, or was wasted, and what would have cured it.
struct ExplainMemoryRequest {
  std::string file;                             ///< as SimulateMemoryRequest::trace
  std::optional<std::string> settings;          ///< none: those of the recorded program
  std::optional<std::uint64_t> capacity_bytes;  ///< as SimulateMemoryRequest
  std::optional<std::size_t> device;
  std::string html;  ///< page to write; empty: none
};

/// Who held memory at the moment that is explained.
struct MemoryHolder {
  std::string origin;
  std::uint64_t bytes = 0;
  std::size_t blocks = 0;
};

/// A change that was simulated.
struct MemoryCure {
  std::string change;      ///< "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
  bool is_setting = true;  ///< false: a change of the program
  bool is_cure = false;    ///< it fits, or reserves at least 5 % less where nothing ran out
  std::uint64_t peak_reserved_bytes = 0;
  std::uint64_t retries = 0;
  std::optional<std::size_t> run_out_event;
};

/// The state at the end of an epoch, or of another phase that comes again and again.
struct MemoryStretch {
  std::string name;
  MemoryTimelinePoint point;
};

enum class MemoryVerdict {
  fragmented,  ///< ran out although what lived and what was asked for would have fitted
  too_much,    ///< ran out: more than the card has, or the process may have of it, was needed at once
  wasteful,    ///< did not run out; much of what was reserved was not used
  sound,       ///< neither
};

struct MemoryExplanation {
  std::string source, format, settings;
  /// Recorded on a CPU, and neither a card nor settings were asked for: reserved memory is that in use, and
  /// no setting of a GPU's allocator is proposed.
  bool on_cpu = false;
  std::size_t events = 0, allocations = 0;
  std::optional<std::uint64_t> capacity_bytes;
  /// What per_process_memory_fraction leaves of the card; none: all of it.
  std::optional<std::uint64_t> allowed_bytes;
  std::vector<std::string> notes;

  MemoryVerdict verdict = MemoryVerdict::sound;
  MemoryRunOut moment;  ///< that is explained: where memory ran out, else the highest reserved memory
  std::uint64_t requested_live_bytes = 0;  ///< of what lived then, before rounding
  std::uint64_t peak_reserved_bytes = 0;
  std::optional<std::uint64_t> recorded_peak_reserved_bytes;  ///< of the real allocator
  std::vector<MemoryHolder> holders;                          ///< largest first
  std::vector<MemoryTimelinePoint> timeline;
  std::vector<MemoryStretch> stretches;
  std::vector<MemoryCure> cures;  ///< best first

  std::string text, json;
};

}  // namespace headroom
