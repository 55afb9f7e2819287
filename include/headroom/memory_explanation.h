#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom {

struct SimulateMemoryReport;
struct MemoryExplanation;
struct MemoryDifference;

/// `headroom memory simulate`: simulates a recorded program with other allocator settings or on another card.
struct SimulateMemoryRequest {
  using Report = SimulateMemoryReport;

  std::string trace;  ///< allocation trace of headroom or PyTorch memory snapshot, may be gzipped
  /// Values of PYTORCH_CUDA_ALLOC_CONF, one simulation for each. None: the settings of the recorded program.
  std::vector<std::string> settings;
  std::optional<std::uint64_t> capacity_bytes;  ///< bytes of the card; none: as recorded, or no limit
  /// Device, if a snapshot has several. None: the device on which memory ran out, else the device with the
  /// most reserved memory.
  std::optional<std::size_t> device;
};

/// An interval of a run: the highest values in it, and the idle memory at its end.
struct MemoryTimelinePoint {
  std::size_t event = 0;  ///< the last event of the interval
  std::uint64_t reserved_bytes = 0, allocated_bytes = 0;
  std::uint64_t cached_bytes = 0;    ///< bytes of reserved blocks without a tensor
  std::uint64_t stranded_bytes = 0;  ///< cached bytes that cannot be released, because the segment or page is
                                     ///< in use
  std::uint64_t largest_free_block_bytes = 0;  ///< largest request that would need no new memory
};

/// A request that failed because memory ran out, and the state of the memory at that moment.
struct MemoryRunOut {
  std::size_t event = 0;
  std::string phase;   ///< the open phases. If there are none, the stack of the request
  std::string origin;  ///< the stack of the request, if the phase is known too
  std::uint64_t requested_bytes = 0, allocated_bytes = 0, reserved_bytes = 0, device_free_bytes = 0;
  std::uint64_t stranded_bytes = 0, largest_free_block_bytes = 0;
  std::uint64_t pending_bytes = 0;  ///< bytes of freed tensors that another stream may still use
};

struct SimulatedMemory {
  std::string settings;
  bool fits = true;
  std::optional<MemoryRunOut> run_out;  ///< the failed request at which the program ends, if the program does
                                        ///< not fit
  std::uint64_t peak_reserved_bytes = 0, peak_allocated_bytes = 0, peak_active_bytes = 0;
  std::uint64_t retries = 0;  ///< requests for which the whole cache was released
  std::uint64_t device_allocations = 0;
  std::vector<MemoryTimelinePoint> timeline;
  std::vector<std::string> settings_without_effect;
};

/// How well a simulation that uses the recorded settings agrees with the real allocator, in reserved bytes.
struct SimulationAgreement {
  std::size_t compared_events = 0, different_events = 0;
  std::optional<std::size_t> first_different_event;
  std::uint64_t simulated_peak_bytes = 0, recorded_peak_bytes = 0;
  bool same_blocks_at_end = false;  ///< all segments and blocks agree, except for addresses
};

struct SimulateMemoryReport {
  std::string source, format;
  std::size_t device = 0;
  std::size_t events = 0, allocations = 0;
  bool begins_in_the_middle = false;  ///< memory was already in use when the recording began
  std::optional<std::uint64_t> capacity_bytes;
  std::vector<std::string> notes;                ///< facts that the recording does not contain
  std::optional<SimulationAgreement> agreement;  ///< agreement with the recorded settings, if segments were
                                                 ///< recorded
  std::vector<SimulatedMemory> runs;
  std::string json;  ///< the whole report as JSON
};

/// `headroom memory explain`: explains why memory ran out or was wasted, and which changes would prevent it.
struct ExplainMemoryRequest {
  using Report = MemoryExplanation;

  /// As SimulateMemoryRequest::trace. "-": standard input with a recording or the text of an error message.
  /// Empty: `message` is used.
  std::string file;
  /// The bytes of `file` or of a message in memory. `file` and `message` are then empty, and results contain
  /// no file name.
  std::span<const char> content = {};
  std::string message;                          ///< a file with the text of an out-of-memory error, or "-"
  std::vector<std::string> other_ranks;         ///< snapshots of the other processes of the same run
  std::optional<std::string> settings;          ///< none: the settings of the recorded program
  std::optional<std::uint64_t> capacity_bytes;  ///< bytes of the card, as in SimulateMemoryRequest
  /// Number of a device. "all": one part of the text for each device. "auto": the device on which memory ran
  /// out, else the device with the most reserved memory.
  std::string device = "auto";
  std::string page;  ///< page to write; empty: none
};

/// The purpose of an allocation. It is derived from its lifetime, its size and the frames that requested it.
enum class MemoryRole {
  unknown,
  parameters,
  gradients,
  optimizer_state,
  activations,
  workspace,
  weight_copies,  ///< copies of parameters in bf16 or fp16 that autocast makes
  inputs,
  temporaries,  ///< memory that is freed within the same pass or optimizer step
};

/// How well the evidence supports a role.
enum class RoleCertainty { unknown, likely, certain };

/// The owner of some memory at the explained moment.
struct MemoryHolder {
  std::string origin;
  std::uint64_t bytes = 0;
  std::size_t blocks = 0;
  std::string operation;                  ///< operator or autograd node; empty if unknown
  std::vector<std::string> frames;        ///< up to five, frames of the user first; empty if not recorded
  MemoryRole role = MemoryRole::unknown;  ///< the role of most of the bytes
  RoleCertainty certainty = RoleCertainty::unknown;
  bool pending = false;  ///< freed tensors that another stream may still use
  std::string pool;      ///< a private pool (CUDA graph, MemPool); empty: the common pool
};

/// The recorded program simulated under its own settings. Other simulations are compared with this one.
struct MemoryBaseline {
  bool reproduces = true;  ///< the simulation behaves like the recorded program
  std::string reason;      ///< how the simulation differs, if `reproduces` is false
  std::uint64_t peak_reserved_bytes = 0, recorded_peak_reserved_bytes = 0;
  std::size_t compared_events = 0, different_events = 0;  ///< events whose reserved bytes were compared, and
                                                          ///< events with a difference
};

/// A figure that decided the verdict or the cause, and the threshold of the figure.
struct MemoryMargin {
  std::string figure;    ///< "idle share of the reserved memory"
  double value = 0;      ///< the value of the figure: a share or a ratio
  double threshold = 0;  ///< threshold in the unit of `value`
  bool is_above = true;  ///< the value is at or above the threshold
};

/// A simulated change.
struct MemoryCure {
  std::string change;      ///< "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
  std::string settings;    ///< the simulated settings of the allocator, for a setting
  std::string remark;      ///< first version of PyTorch with this setting, and the limits of the setting
  bool is_setting = true;  ///< false: a change of the program
  /// The program fits. If memory did not run out, the program reserves less memory than the baseline or needs
  /// fewer retries.
  bool is_cure = false;
  std::string doubt;  ///< why the change is not a cure, although the program fits or saves memory
  /// The recording continues after the failed request, so the cure was simulated to the end. Otherwise, only
  /// its effect on that request is known.
  bool tried_to_the_end = true;
  std::uint64_t peak_reserved_bytes = 0;
  std::uint64_t retries = 0;
  std::optional<std::size_t> run_out_event;
  bool is_on_a_card = true;  ///< false: the size of the card is unknown, so memory cannot run out
};

/// The state at the end of an epoch or another recurring phase.
struct MemoryInterval {
  std::string name;
  MemoryTimelinePoint point;
};

/// A device of a snapshot, or a rank of several snapshots.
struct MemoryOfDevice {
  std::string source;  ///< the file with the recording
  std::size_t device = 0;
  std::size_t events = 0, out_of_memory = 0;
  std::uint64_t reserved_bytes = 0, in_use_bytes = 0;  ///< bytes at the time of the snapshot
  std::uint64_t peak_reserved_bytes = 0;
  bool is_explained = false;
};

/// Two devices or ranks that do the same work with inputs of different sizes.
struct MemoryImbalance {
  std::string most, least;  ///< the files or devices with most and least memory, such as "GPU 1" or
                            ///< "rank2.pickle"
  double ratio = 1;         ///< ratio of the tensors that depend on the input: larger over smaller
};

/// The share of the batch of a failed request that would have fitted. It is extrapolated from the same work
/// that finished on another device or in another iteration.
struct MemoryExtrapolation {
  std::string from;                ///< the place where the same work finished: "GPU 2", "the iteration
                                   ///< before"
  double ratio = 1;                ///< bytes of tensors in the failed work, divided by the bytes in the
                                   ///< finished work
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

/// Bytes by which a change of the program would reduce the peak.
struct MemorySaving {
  MemoryRole role = MemoryRole::unknown;
  std::string change;            ///< the change, such as "activation checkpointing"
  std::string price;             ///< the cost of the change, such as "one more forward pass"
  std::uint64_t held_bytes = 0;  ///< bytes that this role holds at the peak
  std::uint64_t saved_bytes = 0;
  bool is_simulated = false;  ///< false: the saving is only estimated
  std::string limit;          ///< why the change does not save more: with the change, the peak is at another
                              ///< moment
  /// After a failure: whether the failed request fits with only this change.
  std::optional<bool> fits;
};

struct MemoryOfPool {
  std::string name;  ///< name of the pool, such as "(0, 1)"
  std::size_t segments = 0;
  std::uint64_t reserved_bytes = 0, in_use_bytes = 0, pending_bytes = 0;
};

enum class MemoryVerdict {
  fragmented,  ///< memory ran out, although the live bytes and the request would have fitted
  too_much,    ///< memory ran out, because the program needed more than the card has or the process may use
  wasteful,    ///< memory did not run out, but a large part of the reserved memory was never used
  sound,       ///< memory did not run out, and little was wasted
  no_history,  ///< a snapshot without a trace, so earlier events are unknown
};

/// The reason in the program why memory ran out.
enum class MemoryCause {
  none,
  batch_too_large,            ///< the first iteration does not fit
  growing_batches,            ///< earlier iterations were smaller and fitted
  fragmentation,              ///< free memory was split into pieces that are too small
  leak,                       ///< every iteration keeps some memory
  imbalance,                  ///< another device or rank did the same work with a smaller input
  gradients_kept,             ///< gradients are live while the next forward pass runs
  graph_retained,             ///< activations of the previous iteration are live together with current ones
  evaluation_with_gradients,  ///< an evaluation keeps activations
  optimizer_state,            ///< the first step of the optimizer allocates its state
  several_models,             ///< parameters were created in several places
  model_too_large,            ///< parameters, gradients and optimizer state alone do not fit
  workspace,                  ///< scratch memory of libraries
  private_pools,              ///< idle memory in private pools, which other requests cannot use
  rounding,                   ///< requests are rounded up to much larger blocks
  large_request,              ///< a single tensor much larger than the others
  memory_fraction,            ///< the card had memory that the process may not use
};

struct MemoryExplanation {
  std::string source, format, settings;
  std::size_t device = 0;
  /// Recorded on a CPU, and no card or settings were requested. Reserved memory then equals memory in use,
  /// and no GPU settings are proposed.
  bool on_cpu = false;
  std::size_t events = 0, allocations = 0;
  std::size_t residents = 0;  ///< number of leading events that stand for existing blocks
  /// Bytes that were already reserved when the recording began.
  std::uint64_t reserved_before_bytes = 0;
  std::optional<std::uint64_t> capacity_bytes;
  bool capacity_is_inferred = false;  ///< inferred from retries, which happen only if a request exceeds the
                                      ///< card
  /// The bytes of the card that a memory fraction allows. None: the whole card.
  std::optional<std::uint64_t> allowed_bytes;
  bool allowed_is_inferred = false;  ///< the program set the fraction, and the bytes are an upper bound
  std::optional<MemoryBaseline> baseline;
  std::vector<MemoryMargin> margins;  ///< margins of the verdict, then margins of the cause
  std::vector<std::string> notes;
  std::vector<MemoryOfDevice> devices;  ///< devices of the snapshot, or of all ranks; empty for a trace

  MemoryVerdict verdict = MemoryVerdict::sound;
  MemoryCause cause = MemoryCause::none;
  std::string cause_text;  ///< one or two sentences about the cause; empty if there is none
  MemoryRunOut moment;     ///< the explained moment: the failure, else the peak of memory in use
  /// The recording ends with a failed request, so the following events are unknown.
  bool ends_with_failure = false;
  /// The moment is the recorded failure, and its figures are the recorded ones, because the simulation
  /// deviates.
  bool moment_is_recorded = false;
  std::uint64_t requested_live_bytes = 0;  ///< bytes of the live tensors, before rounding
  std::uint64_t peak_reserved_bytes = 0;   ///< as recorded, or else as simulated
  std::uint64_t peak_in_use_bytes = 0;
  std::optional<std::uint64_t> recorded_peak_reserved_bytes;  ///< peak that the real allocator recorded
  std::size_t retries = 0, empty_cache_calls = 0;             ///< counts of the recorded program
  std::vector<MemoryHolder> holders;                          ///< the largest holder comes first
  std::vector<MemoryOfPool> pools;                            ///< private pools, if the program has any
  std::vector<MemoryTimelinePoint> timeline;
  std::vector<MemoryInterval> stretches;
  std::vector<MemoryCure> cures;  ///< the best cure comes first
  std::optional<MemoryImbalance> imbalance;
  std::optional<MemoryExtrapolation> extrapolation;
  /// Bytes of activations of the previous iteration that are still live at the explained moment.
  std::uint64_t kept_from_before_bytes = 0;
  std::vector<MemoryLeak> leaks;      ///< the largest leak comes first
  std::vector<MemorySaving> savings;  ///< the largest saving comes first

  std::string text, json;
};

/// `headroom memory diff`: compares two recordings.
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
  std::uint64_t before_peak_bytes = 0, after_peak_bytes = 0;  ///< peaks of the memory in use
  std::uint64_t before_end_bytes = 0, after_end_bytes = 0;
  std::uint64_t before_reserved_bytes = 0, after_reserved_bytes = 0;  ///< peaks
  // Each list begins with the largest change.
  std::vector<MemoryGrowth> at_peak, at_end, by_phase;  ///< by_phase compares the memory at the peaks
  std::string text, json;
};

}  // namespace headroom
