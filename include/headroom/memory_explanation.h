#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

struct SimulateMemoryReport;
struct MemoryExplanation;
struct MemoryDifference;

/// `headroom memory simulate`: a recorded program under other allocator settings and on another card.
struct SimulateMemoryRequest {
  using Report = SimulateMemoryReport;

  std::string trace;  ///< allocation trace of headroom or PyTorch memory snapshot, each also gzipped
  /// Values of PYTORCH_CUDA_ALLOC_CONF, one simulation each; none: the settings of the recorded program.
  std::vector<std::string> settings;
  std::optional<std::uint64_t> capacity_bytes;  ///< bytes of the card; none: as recorded, else no limit
  /// Device of a snapshot of several; none: where memory ran out, else the one that reserved the most.
  std::optional<std::size_t> device;
};

/// A stretch of a run: highest values within it, and the idle memory at its end.
struct MemoryTimelinePoint {
  std::size_t event = 0;  ///< the last event of the stretch
  std::uint64_t reserved_bytes = 0, allocated_bytes = 0;
  std::uint64_t cached_bytes = 0;              ///< reserved blocks that hold no tensor
  std::uint64_t stranded_bytes = 0;            ///< cached, but not releasable: the segment or page is in use
  std::uint64_t largest_free_block_bytes = 0;  ///< largest request that needs no new memory
};

/// A request that failed for lack of memory, and the state of the memory at that moment.
struct MemoryRunOut {
  std::size_t event = 0;
  std::string phase;   ///< the phases that were open; without phases, the requesting stack
  std::string origin;  ///< the requesting stack, where it is known beside the phase
  std::uint64_t requested_bytes = 0, allocated_bytes = 0, reserved_bytes = 0, device_free_bytes = 0;
  std::uint64_t stranded_bytes = 0, largest_free_block_bytes = 0;
  std::uint64_t pending_bytes = 0;  ///< bytes of dead tensors that another stream may still use
};

struct SimulatedMemory {
  std::string settings;
  bool fits = true;
  std::optional<MemoryRunOut> run_out;  ///< where the program ends if it does not fit
  std::uint64_t peak_reserved_bytes = 0, peak_allocated_bytes = 0, peak_active_bytes = 0;
  std::uint64_t retries = 0;  ///< requests for which the whole cache was released
  std::uint64_t device_allocations = 0;
  std::vector<MemoryTimelinePoint> timeline;
  std::vector<std::string> settings_without_effect;
};

/// Reserved bytes of a simulation with the recorded settings, next to the reserved bytes of the real
/// allocator.
struct SimulationAgreement {
  std::size_t compared_events = 0, different_events = 0;
  std::optional<std::size_t> first_different_event;
  std::uint64_t simulated_peak_bytes = 0, recorded_peak_bytes = 0;
  bool same_blocks_at_end = false;  ///< all segments and their blocks agree, apart from addresses
};

struct SimulateMemoryReport {
  std::string source, format;
  std::size_t device = 0;
  std::size_t events = 0, allocations = 0;
  bool begins_in_the_middle = false;  ///< memory was in use already when the recording began
  std::optional<std::uint64_t> capacity_bytes;
  std::vector<std::string> notes;                ///< facts that the recording does not contain
  std::optional<SimulationAgreement> agreement;  ///< with the recorded settings, where segments were recorded
  std::vector<SimulatedMemory> runs;
  std::string json;  ///< the whole report
};

/// `headroom memory explain`: why memory ran out, or was wasted, and which changes would have prevented it.
struct ExplainMemoryRequest {
  using Report = MemoryExplanation;

  /// As SimulateMemoryRequest::trace. "-": standard input, with a recording or the text of an error message.
  /// Empty: `message` is given.
  std::string file;
  std::string message;                          ///< a file with the text of an out-of-memory error, or "-"
  std::vector<std::string> other_ranks;         ///< snapshots of the other processes of the same run
  std::optional<std::string> settings;          ///< none: the settings of the recorded program
  std::optional<std::uint64_t> capacity_bytes;  ///< as SimulateMemoryRequest
  /// Number of a device; all: one part of the text per device; auto: where memory ran out, else the one that
  /// reserved the most.
  std::string device = "auto";
  std::string page;  ///< page to write; empty: none
};

/// The purpose of an allocation, concluded from its lifetime, its size and the frames that requested it.
enum class MemoryRole {
  unknown,
  parameters,
  gradients,
  optimizer_state,
  activations,
  workspace,
  weight_copies,  ///< copies of parameters in bf16 or fp16 that autocast makes
  inputs,
  temporaries,  ///< freed within the pass or the step that made it
};

/// How well the evidence supports a role.
enum class RoleCertainty { unknown, likely, certain };

/// The owner of some memory at the moment that is explained.
struct MemoryHolder {
  std::string origin;
  std::uint64_t bytes = 0;
  std::size_t blocks = 0;
  std::string operation;                  ///< operator or autograd node; empty: not known
  std::vector<std::string> frames;        ///< up to five, the user's own frames first; empty: not recorded
  MemoryRole role = MemoryRole::unknown;  ///< the role with most of the bytes
  RoleCertainty certainty = RoleCertainty::unknown;
  bool pending = false;  ///< dead tensors that another stream may still use
  std::string pool;      ///< a private pool (CUDA graph, MemPool); empty: the common one
};

/// The recorded program simulated under its own settings. Other simulations are compared with this one.
struct MemoryBaseline {
  bool reproduces = true;  ///< it does what the recorded program did
  std::string reason;      ///< the difference, if it does not
  std::uint64_t peak_reserved_bytes = 0, recorded_peak_reserved_bytes = 0;
  std::size_t compared_events = 0, different_events = 0;  ///< by the reserved bytes after each event
};

/// A figure that decided a verdict or a cause, and the threshold that it passed or missed.
struct MemoryMargin {
  std::string figure;    ///< "idle share of the reserved memory"
  double value = 0;      ///< a share, or a ratio
  double threshold = 0;  ///< in the same unit
  bool is_above = true;  ///< the value passes the threshold
};

/// A change that was simulated.
struct MemoryCure {
  std::string change;      ///< "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
  std::string settings;    ///< the simulated settings of the allocator, for a setting
  std::string remark;      ///< from which version of PyTorch it exists, and its limits
  bool is_setting = true;  ///< false: a change of the program
  /// It fits. If memory did not run out: it reserves less than the baseline, or needs fewer retries.
  bool is_cure = false;
  std::string doubt;  ///< the reason why it counts as no cure although it fits or saves memory
  /// The recording continues after the request that failed, so that the cure was tried to the end. Otherwise
  /// only the effect on that request is known.
  bool tried_to_the_end = true;
  std::uint64_t peak_reserved_bytes = 0;
  std::uint64_t retries = 0;
  std::optional<std::size_t> run_out_event;
  bool is_on_a_card = true;  ///< false: no size of the card is known, so that nothing can run out
};

/// The state at the end of an epoch, or of another phase that recurs.
struct MemoryInterval {
  std::string name;
  MemoryTimelinePoint point;
};

/// A device of a snapshot, or a rank of several snapshots.
struct MemoryOfDevice {
  std::string source;  ///< the file it was read from
  std::size_t device = 0;
  std::size_t events = 0, out_of_memory = 0;
  std::uint64_t reserved_bytes = 0, in_use_bytes = 0;  ///< at the time of the snapshot
  std::uint64_t peak_reserved_bytes = 0;
  bool is_explained = false;
};

/// Two devices or ranks that do the same work with inputs of different size.
struct MemoryImbalance {
  std::string most, least;  ///< "GPU 1", "rank2.pickle"
  double ratio = 1;         ///< tensors that follow the input: larger over smaller
};

/// How much of the batch of a failed request would have fitted, concluded from the same work done to its end
/// elsewhere.
struct MemoryExtrapolation {
  std::string from;                ///< "GPU 2", "the iteration before"
  double ratio = 1;                ///< the tensors here over those there
  std::uint64_t needed_bytes = 0;  ///< bytes in use at the peak
  double share = 1;                ///< largest share of this batch that fits
};

/// Memory that every iteration allocates and never frees.
struct MemoryLeak {
  std::string origin;
  std::vector<std::string> frames;
  std::size_t iterations = 0;
  std::uint64_t bytes_per_iteration = 0, bytes = 0;
};

/// Bytes by which a change of the program would lower the peak.
struct MemorySaving {
  MemoryRole role = MemoryRole::unknown;
  std::string change;            ///< "activation checkpointing"
  std::string price;             ///< "one more forward pass"
  std::uint64_t held_bytes = 0;  ///< bytes that this role holds at the peak
  std::uint64_t saved_bytes = 0;
  bool is_simulated = false;  ///< false: estimated
  std::string limit;          ///< the reason why it saves no more: another moment is the peak then
  /// After a failure: whether the request that failed would fit with this change alone.
  std::optional<bool> fits;
};

struct MemoryOfPool {
  std::string name;  ///< "(0, 1)"
  std::size_t segments = 0;
  std::uint64_t reserved_bytes = 0, in_use_bytes = 0, pending_bytes = 0;
};

enum class MemoryVerdict {
  fragmented,  ///< ran out although the live bytes and the request would have fitted
  too_much,    ///< ran out: needed more than the card has, or than the process may use
  wasteful,    ///< did not run out; a large part of the reserved memory was never used
  sound,       ///< neither short of memory nor wasteful
  no_history,  ///< a snapshot without a trace: earlier events are not known
};

/// The cause, within the program, of running out of memory.
enum class MemoryCause {
  none,
  batch_too_large,            ///< the first iteration does not fit
  growing_batches,            ///< earlier iterations were smaller and fitted
  fragmentation,              ///< free memory was split into pieces that are too small
  leak,                       ///< every iteration keeps some memory
  imbalance,                  ///< another device or rank did the same work with a smaller input
  gradients_kept,             ///< gradients live while the next forward pass runs
  graph_retained,             ///< activations of the previous iteration live beside those of this one
  evaluation_with_gradients,  ///< activations are kept by a function that evaluates
  optimizer_state,            ///< the first step of the optimiser allocates its state
  several_models,             ///< parameters made in several places
  model_too_large,            ///< parameters, gradients and optimiser state alone do not fit
  workspace,                  ///< scratch memory of libraries
  private_pools,              ///< idle memory in private pools, which other requests cannot use
  rounding,                   ///< requests are rounded up to much larger blocks
  large_request,              ///< a single tensor much larger than the others
  memory_fraction,            ///< the card had memory that the process was not allowed to use
};

struct MemoryExplanation {
  std::string source, format, settings;
  std::size_t device = 0;
  /// Recorded on a CPU, with neither a card nor settings requested: reserved memory equals memory in use, and
  /// no setting of a GPU's allocator is proposed.
  bool on_cpu = false;
  std::size_t events = 0, allocations = 0;
  std::size_t residents = 0;  ///< the number of the first events, which stand for blocks from before
  /// Bytes that were reserved when the recording began.
  std::uint64_t reserved_before_bytes = 0;
  std::optional<std::uint64_t> capacity_bytes;
  bool capacity_is_inferred = false;  ///< from retries, each of which wanted more than the card had
  /// The bytes of the card that a memory fraction allows. None: all of it.
  std::optional<std::uint64_t> allowed_bytes;
  bool allowed_is_inferred = false;  ///< the program set the fraction, and the bytes are an upper bound
  std::optional<MemoryBaseline> baseline;
  std::vector<MemoryMargin> margins;  ///< of the verdict first, then of the cause
  std::vector<std::string> notes;
  std::vector<MemoryOfDevice> devices;  ///< those of the snapshot, or of all ranks; empty for a trace

  MemoryVerdict verdict = MemoryVerdict::sound;
  MemoryCause cause = MemoryCause::none;
  std::string cause_text;  ///< in a sentence or two; empty without a cause
  MemoryRunOut moment;     ///< the explained moment: where memory ran out, else the peak in use
  /// The recording ends with a request that failed: what would have followed it is not known.
  bool ends_with_failure = false;
  /// The moment is the recorded failure, and its figures are the recorded ones, because the simulation
  /// deviates.
  bool moment_is_recorded = false;
  std::uint64_t requested_live_bytes = 0;  ///< bytes of the live tensors, before rounding
  std::uint64_t peak_reserved_bytes = 0;   ///< recorded, else simulated
  std::uint64_t peak_in_use_bytes = 0;
  std::optional<std::uint64_t> recorded_peak_reserved_bytes;  ///< peak of the real allocator
  std::size_t retries = 0, empty_cache_calls = 0;             ///< counts of the recorded program
  std::vector<MemoryHolder> holders;                          ///< largest first
  std::vector<MemoryOfPool> pools;                            ///< private pools, where the program has any
  std::vector<MemoryTimelinePoint> timeline;
  std::vector<MemoryInterval> stretches;
  std::vector<MemoryCure> cures;  ///< best first
  std::optional<MemoryImbalance> imbalance;
  std::optional<MemoryExtrapolation> extrapolation;
  /// Bytes of activations of the iteration before that still lived at the explained moment.
  std::uint64_t kept_from_before_bytes = 0;
  std::vector<MemoryLeak> leaks;      ///< largest first
  std::vector<MemorySaving> savings;  ///< largest first

  std::string text, json;
};

/// `headroom memory diff`: the growth from one recording to another.
struct DiffMemoryRequest {
  using Report = MemoryDifference;

  std::string before, after;
  std::optional<std::size_t> device;  ///< device of both recordings
};

/// The bytes of one holder in both recordings.
struct MemoryGrowth {
  std::string origin;
  std::vector<std::string> frames;
  std::uint64_t before_bytes = 0, after_bytes = 0;
};

struct MemoryDifference {
  std::string before, after;                                  ///< files
  std::uint64_t before_peak_bytes = 0, after_peak_bytes = 0;  ///< in use
  std::uint64_t before_end_bytes = 0, after_end_bytes = 0;
  std::uint64_t before_reserved_bytes = 0, after_reserved_bytes = 0;  ///< peaks
  // Lists begin with the largest change.
  std::vector<MemoryGrowth> at_peak, at_end, by_phase;  ///< by_phase: at the peaks
  std::string text, json;
};

}  // namespace headroom
