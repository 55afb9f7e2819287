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
  /// Of a snapshot of several; none: where memory ran out, else the one that reserved the most.
  std::optional<std::size_t> device;
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
  std::string phase;   ///< the phases that were open; without any the stack that asked
  std::string origin;  ///< the stack that asked, where it is known beside the phase
  std::uint64_t requested_bytes = 0, allocated_bytes = 0, reserved_bytes = 0, device_free_bytes = 0;
  std::uint64_t stranded_bytes = 0, largest_free_block_bytes = 0;
  std::uint64_t pending_bytes = 0;  ///< of dead tensors that another stream may still use
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
  bool begins_in_the_middle = false;  ///< memory was taken already when the recording began
  std::optional<std::uint64_t> capacity_bytes;
  std::vector<std::string> notes;                ///< what was missing in the recording
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
  std::string html;                      ///< page to write; empty: none
  std::vector<std::string> other_ranks;  ///< snapshots of the other processes of the same run
  bool all_devices = false;              ///< a part of the text for each device, not for the chosen one alone
};

/// What memory is held for, concluded from how long it lives and which frames asked.
enum class MemoryRole { other, parameters, gradients, optimizer_state, activations, workspace };

/// Who held memory at the moment that is explained.
struct MemoryHolder {
  std::string origin;
  std::uint64_t bytes = 0;
  std::size_t blocks = 0;
  std::string operation;            ///< operator or autograd node; empty: not known
  std::vector<std::string> frames;  ///< up to five, the user's first; empty: not recorded
  MemoryRole role = MemoryRole::other;
  bool pending = false;  ///< dead tensors that another stream may still use
  std::string pool;      ///< a private pool (CUDA graph, MemPool); empty: the common one
};

/// A change that was simulated.
struct MemoryCure {
  std::string change;      ///< "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
  bool is_setting = true;  ///< false: a change of the program
  bool is_cure = false;    ///< it fits, or reserves at least 5 % less where nothing ran out
  /// The recording goes on after the request that failed, so that the cure was tried to the end. Else it is
  /// known of that request alone.
  bool tried_to_the_end = true;
  std::uint64_t peak_reserved_bytes = 0;
  std::uint64_t retries = 0;
  std::optional<std::size_t> run_out_event;
};

/// The state at the end of an epoch, or of another phase that comes again and again.
struct MemoryStretch {
  std::string name;
  MemoryTimelinePoint point;
};

/// A device of a snapshot, or a rank of several snapshots.
struct MemoryOfDevice {
  std::string source;  ///< the file
  std::size_t device = 0;
  std::size_t events = 0, out_of_memory = 0;
  std::uint64_t reserved_bytes = 0, in_use_bytes = 0;  ///< when it was dumped
  std::uint64_t peak_reserved_bytes = 0;
  bool is_explained = false;
};

/// Two devices or ranks that do the same work with inputs of different size.
struct MemoryImbalance {
  std::string most, least;  ///< "GPU 1", "rank2.pickle"
  double ratio = 1;         ///< of the tensors that follow the input: the one's over the other's
};

/// Of a request that failed: how much of the batch would have fitted, concluded from the same work done to
/// its end elsewhere.
struct MemoryExtrapolation {
  std::string from;                ///< "GPU 2", "the iteration before"
  double ratio = 1;                ///< of the tensors here over those there
  std::uint64_t needed_bytes = 0;  ///< at the highest, in use
  double share = 1;                ///< of this batch that fits at most
};

/// What is allocated in every iteration and never freed.
struct MemoryLeak {
  std::string origin;
  std::vector<std::string> frames;
  std::size_t iterations = 0;
  std::uint64_t bytes_per_iteration = 0, bytes = 0;
};

/// What a change of the program would take off the peak.
struct MemorySaving {
  MemoryRole role = MemoryRole::other;
  std::string change;            ///< "activation checkpointing"
  std::string price;             ///< "one more forward pass"
  std::uint64_t held_bytes = 0;  ///< by this role at the peak
  std::uint64_t saved_bytes = 0;
  bool is_simulated = false;  ///< false: estimated
};

struct MemoryOfPool {
  std::string name;  ///< "(0, 1)"
  std::size_t segments = 0;
  std::uint64_t reserved_bytes = 0, in_use_bytes = 0, pending_bytes = 0;
};

enum class MemoryVerdict {
  fragmented,  ///< ran out although what lived and what was asked for would have fitted
  too_much,    ///< ran out: more than the card has, or the process may have of it, was needed at once
  wasteful,    ///< did not run out; much of what was reserved was never used
  sound,       ///< neither
  no_history,  ///< a snapshot without a trace: what came before it is not known
};

/// What in the program made memory run out.
enum class MemoryCause {
  none,
  batch_too_large,            ///< the first iteration does not fit
  growing_batches,            ///< earlier iterations were smaller and fitted
  fragmentation,              ///< free memory lay in pieces
  leak,                       ///< every iteration keeps something
  imbalance,                  ///< another device or rank did the same work with a smaller input
  gradients_kept,             ///< gradients live while the next forward pass runs
  graph_retained,             ///< activations of the iteration before live beside those of this one
  evaluation_with_gradients,  ///< activations are kept by a function that evaluates
  optimizer_state,            ///< the optimiser's first step makes its state
  several_models,             ///< parameters made in several places
  model_too_large,            ///< parameters, gradients and optimiser state alone
  workspace,                  ///< scratch memory of libraries
  private_pools,              ///< memory idle in private pools, which others cannot use
  rounding,                   ///< requests are rounded up to much larger blocks
  large_request,              ///< a single tensor of a size of its own
  memory_fraction,            ///< the card had room that the process was not allowed to use
};

struct MemoryExplanation {
  std::string source, format, settings;
  std::size_t device = 0;
  /// Recorded on a CPU, and neither a card nor settings were asked for: reserved memory is that in use, and
  /// no setting of a GPU's allocator is proposed.
  bool on_cpu = false;
  std::size_t events = 0, allocations = 0;
  std::optional<std::uint64_t> capacity_bytes;
  /// What per_process_memory_fraction leaves of the card; none: all of it.
  std::optional<std::uint64_t> allowed_bytes;
  std::vector<std::string> notes;
  std::vector<MemoryOfDevice> devices;  ///< of the snapshot, or of all ranks; of a trace none

  MemoryVerdict verdict = MemoryVerdict::sound;
  MemoryCause cause = MemoryCause::none;
  std::string cause_text;  ///< in a sentence or two; empty without a cause
  MemoryRunOut moment;     ///< that is explained: where memory ran out, else the highest in use
  /// The recording ends with the request that failed: nothing is known of what would have come.
  bool ends_with_failure = false;
  std::uint64_t requested_live_bytes = 0;  ///< of what lived then, before rounding
  std::uint64_t peak_reserved_bytes = 0;   ///< recorded, else simulated
  std::uint64_t peak_in_use_bytes = 0;
  std::optional<std::uint64_t> recorded_peak_reserved_bytes;  ///< of the real allocator
  std::size_t retries = 0, empty_cache_calls = 0;             ///< of the recorded program
  std::vector<MemoryHolder> holders;                          ///< largest first
  std::vector<MemoryOfPool> pools;                            ///< private ones, where there are any
  std::vector<MemoryTimelinePoint> timeline;
  std::vector<MemoryStretch> stretches;
  std::vector<MemoryCure> cures;  ///< best first
  std::optional<MemoryImbalance> imbalance;
  std::optional<MemoryExtrapolation> extrapolation;
  std::vector<MemoryLeak> leaks;      ///< largest first
  std::vector<MemorySaving> savings;  ///< largest first

  std::string text, json;
};

/// `headroom memory diff`: what grew from one recording to another.
struct DiffMemoryRequest {
  std::string before, after;
  std::optional<std::size_t> device;  ///< of both
};

/// What one holder had in both.
struct MemoryGrowth {
  std::string origin;
  std::vector<std::string> frames;
  std::uint64_t before_bytes = 0, after_bytes = 0;
};

struct MemoryDifference {
  std::string before, after;                                  ///< files
  std::uint64_t before_peak_bytes = 0, after_peak_bytes = 0;  ///< in use
  std::uint64_t before_end_bytes = 0, after_end_bytes = 0;
  std::uint64_t before_reserved_bytes = 0, after_reserved_bytes = 0;  ///< at the highest
  // Largest change first.
  std::vector<MemoryGrowth> at_peak, at_end, by_phase;  ///< by_phase: at the peaks
  std::string text, json;
};

}  // namespace headroom
