#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace molgauge {

struct SimulateMemoryReport;
struct MemoryExplanation;
struct MemoryDifference;

/// `molgauge memory simulate`: simulates a recorded program with other allocator settings or on another card.
struct SimulateMemoryRequest {
  using Report = SimulateMemoryReport;

  std::string trace;  ///< allocation trace of molgauge, or PyTorch memory snapshot; may be gzipped
  /// Values of PYTORCH_CUDA_ALLOC_CONF. Each value is simulated. If the list is empty, the settings of the
  /// recorded program are simulated.
  std::vector<std::string> settings;
  /// Bytes of the card. If not set, the recorded size is used. If no size is recorded, memory is unlimited.
  std::optional<std::uint64_t> capacity_bytes;
  /// Device to simulate, if a snapshot has several devices. If not set, the device on which memory ran out is
  /// simulated, or else the device with the most reserved memory.
  std::optional<std::size_t> device;
};

/// A point of a timeline. It describes the events since the previous point: the highest reserved and
/// allocated bytes, and the idle memory after the last event.
struct MemoryTimelinePoint {
  std::size_t event = 0;  ///< the last event that the point describes
  std::uint64_t reserved_bytes = 0, allocated_bytes = 0;
  std::uint64_t cached_bytes = 0;  ///< reserved bytes that no tensor uses
  /// Cached bytes that cannot be released, because another part of their segment or page is in use.
  std::uint64_t stranded_bytes = 0;
  std::uint64_t largest_free_block_bytes = 0;  ///< largest request that fits without reserving more memory
};

/// A request that failed because memory ran out, and the state of the memory at that moment.
struct MemoryRunOut {
  std::size_t event = 0;
  std::string phase;   ///< names of the open phases, or the stack of the request if no phase is open
  std::string origin;  ///< the stack of the request; empty if it was not recorded
  std::uint64_t requested_bytes = 0, allocated_bytes = 0, reserved_bytes = 0, device_free_bytes = 0;
  std::uint64_t stranded_bytes = 0, largest_free_block_bytes = 0;
  std::uint64_t pending_bytes = 0;  ///< bytes of freed tensors that another stream may still use
};

struct SimulatedMemory {
  std::string settings;
  bool fits = true;
  /// The failed request at which the simulation stops. Not set if the program fits.
  std::optional<MemoryRunOut> run_out;
  std::uint64_t peak_reserved_bytes = 0, peak_allocated_bytes = 0, peak_active_bytes = 0;
  std::uint64_t retries = 0;  ///< number of times the allocator released its whole cache to serve a request
  std::uint64_t device_allocations = 0;
  std::vector<MemoryTimelinePoint> timeline;
  std::vector<std::string> settings_without_effect;
};

/// How well a simulation with the recorded settings reproduces the reserved bytes of the real allocator.
struct SimulationAgreement {
  std::size_t compared_events = 0, different_events = 0;
  std::optional<std::size_t> first_different_event;
  std::uint64_t simulated_peak_bytes = 0, recorded_peak_bytes = 0;
  bool same_blocks_at_end = false;  ///< all segments and blocks agree at the end, except for addresses
};

struct SimulateMemoryReport {
  std::string source, format;
  std::size_t device = 0;
  std::size_t events = 0, allocations = 0;
  bool begins_in_the_middle = false;  ///< memory was already in use when the recording began
  std::optional<std::uint64_t> capacity_bytes;
  std::vector<std::string> notes;  ///< known gaps of the recording
  /// Agreement of the simulation with the real allocator. Not set if the recording has no segments.
  std::optional<SimulationAgreement> agreement;
  std::vector<SimulatedMemory> runs;
  std::string json;  ///< the whole report as JSON
};

/// `molgauge memory explain`: explains why memory ran out or was wasted, and which changes would prevent it.
struct ExplainMemoryRequest {
  using Report = MemoryExplanation;

  /// A recording, as in SimulateMemoryRequest::trace. "-" reads a recording or the text of an error message
  /// from standard input. If empty, `message` is used.
  std::string file;
  /// The bytes of a recording or of an error message in memory. If set, `file` and `message` must be empty.
  /// The results then contain no file name.
  std::span<const char> content = {};
  std::string message;                          ///< file with the text of an out-of-memory error, or "-"
  std::vector<std::string> other_ranks;         ///< snapshots of the other ranks of the same run
  std::optional<std::string> settings;          ///< if not set, the settings of the recorded program are used
  std::optional<std::uint64_t> capacity_bytes;  ///< bytes of the card, as in SimulateMemoryRequest
  /// Number of the device to explain. "all" explains each device. "auto" selects the device on which memory
  /// ran out, or else the device with the most reserved memory.
  std::string device = "auto";
  /// The part of each trace of a PyTorch snapshot to explain: the number of an event ("20000"), or a time
  /// after the first event ("300ms", "1.5s", "2min"). The event at `to` does not belong to the part. Empty
  /// texts set no limit.
  std::string from, to;
  std::string page;  ///< HTML page to write. If empty, no page is written
};

/// The purpose of an allocation. Molgauge derives it from the lifetime and the size of the allocation, and
/// from the stack frames that requested it.
enum class MemoryRole {
  unknown,
  parameters,
  gradients,
  optimizer_state,
  activations,
  workspace,
  weight_copies,  ///< copies of parameters that autocast makes in bf16 or fp16
  inputs,
  temporaries,  ///< memory that is freed within the same pass or optimizer step
};

/// How well the evidence supports a role.
enum class RoleCertainty { unknown, likely, certain };

/// The memory in use at the explained moment that was allocated from one origin (a stack of frames).
struct MemoryHolder {
  std::string origin;
  std::uint64_t bytes = 0;
  std::size_t blocks = 0;
  std::string operation;                  ///< operator or autograd node; empty if unknown
  std::vector<std::string> frames;        ///< at most five, user frames first; empty if not recorded
  MemoryRole role = MemoryRole::unknown;  ///< the role of most of the bytes
  RoleCertainty certainty = RoleCertainty::unknown;
  bool pending = false;  ///< the tensors are freed, but another stream may still use them
  std::string pool;      ///< private pool of the memory (CUDA graph, MemPool). Empty for the common pool
};

/// The simulation of the recorded program with its own settings. All other simulations are compared with it.
struct MemoryBaseline {
  bool reproduces = true;  ///< the simulation behaves like the recorded program
  std::string reason;      ///< how the simulation differs, if `reproduces` is false
  std::uint64_t peak_reserved_bytes = 0, recorded_peak_reserved_bytes = 0;
  /// Events whose reserved bytes were compared, and events whose reserved bytes differ.
  std::size_t compared_events = 0, different_events = 0;
};

/// A figure that decided the verdict or the cause, and its threshold.
struct MemoryMargin {
  std::string figure;    ///< the name of the figure, for example "idle share of the reserved memory"
  double value = 0;      ///< a share or a ratio
  double threshold = 0;  ///< the threshold, in the unit of `value`
  bool is_above = true;  ///< whether the value is at or above the threshold
};

/// A change of the settings or of the program, and the result of its simulation.
struct MemoryCure {
  std::string change;      ///< for example "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True"
  std::string settings;    ///< the simulated allocator settings; empty if the program is changed
  std::string remark;      ///< first PyTorch version with this setting, and limits of the setting
  bool is_setting = true;  ///< whether the settings are changed. If false, the program is changed
  /// With the change, the program fits. If the program also fits without the change, the change reserves less
  /// memory or needs fewer retries than the baseline.
  bool is_cure = false;
  std::string doubt;  ///< why a change that seems to help is not a cure
  /// Whether the cure was simulated to the end of the program. If not, the recording ends with the failed
  /// request, and only the effect on this request is known.
  bool tried_to_the_end = true;
  std::uint64_t peak_reserved_bytes = 0;
  std::uint64_t retries = 0;
  std::optional<std::size_t> run_out_event;
  bool is_on_a_card = true;  ///< whether the size of the card is known. If false, memory cannot run out
};

/// The memory at the end of an epoch or of another repeated phase.
struct MemoryInterval {
  std::string name;
  MemoryTimelinePoint point;
};

/// A device of one snapshot, or of the snapshots of several ranks.
struct MemoryOfDevice {
  std::string source;  ///< the file with the recording
  std::size_t device = 0;
  std::size_t events = 0, out_of_memory = 0;
  std::uint64_t reserved_bytes = 0, in_use_bytes = 0;  ///< at the time of the snapshot
  std::uint64_t peak_reserved_bytes = 0;
  bool is_explained = false;
};

/// Two devices or ranks that do the same work with inputs of different sizes.
struct MemoryImbalance {
  /// The devices or files with the most and the least memory, for example "GPU 1" or "rank2.pickle".
  std::string most, least;
  double ratio = 1;  ///< bytes of input-dependent tensors: largest divided by smallest
};

/// An estimate of the largest part of the failed batch that would have fitted. It is extrapolated from
/// another device or iteration that finished the same work.
struct MemoryExtrapolation {
  /// The device or iteration that finished the work, for example "GPU 2" or "the iteration before".
  std::string from;
  /// Bytes of tensors in the failed work, divided by the bytes in the finished work.
  double ratio = 1;
  std::uint64_t needed_bytes = 0;  ///< bytes that the failed work would use at its peak
  double share = 1;                ///< largest share of the failed batch that fits
};

/// Memory that every iteration allocates and never frees.
struct MemoryLeak {
  std::string origin;
  std::vector<std::string> frames;
  std::size_t iterations = 0;
  std::uint64_t bytes_per_iteration = 0, bytes = 0;
};

/// The number of bytes by which a change of the program would reduce the peak.
struct MemorySaving {
  MemoryRole role = MemoryRole::unknown;
  std::string change;            ///< the change, such as "activation checkpointing"
  std::string price;             ///< the cost of the change, such as "one more forward pass"
  std::uint64_t held_bytes = 0;  ///< bytes with this role at the peak
  std::uint64_t saved_bytes = 0;
  bool is_simulated = false;  ///< whether the saving was simulated. If false, it is an estimate
  /// Why the change saves less than it removes from the current peak: with the change, another moment is the
  /// peak.
  std::string limit;
  /// Whether the failed request fits if this is the only change. Not set if no request failed.
  std::optional<bool> fits;
};

struct MemoryOfPool {
  std::string name;  ///< name of the pool, such as "(0, 1)"
  std::size_t segments = 0;
  std::uint64_t reserved_bytes = 0, in_use_bytes = 0, pending_bytes = 0;
};

enum class MemoryVerdict {
  fragmented,  ///< memory ran out, although the live bytes and the request would have fitted
  too_much,    ///< memory ran out, because the program needed more than the card or its limit allows
  wasteful,    ///< memory did not run out, but a large part of the reserved memory was never used
  sound,       ///< memory did not run out, and little was wasted
  no_history,  ///< the snapshot has no trace, so earlier events are unknown
};

/// The reason why memory ran out or was wasted.
enum class MemoryCause {
  none,
  batch_too_large,            ///< the first iteration does not fit
  growing_batches,            ///< earlier iterations had smaller batches, which fitted
  fragmentation,              ///< free memory was split into pieces that are too small
  leak,                       ///< every iteration keeps some memory
  imbalance,                  ///< another device or rank did the same work with a smaller input
  gradients_kept,             ///< gradients are live while the next forward pass runs
  graph_retained,             ///< the graph of the previous iteration, with its activations, is still alive
  evaluation_with_gradients,  ///< an evaluation keeps activations
  optimizer_state,            ///< the first step of the optimizer allocates its state
  several_models,             ///< parameters were created in several places
  model_too_large,            ///< parameters, gradients and optimizer state alone do not fit
  workspace,                  ///< scratch memory of libraries
  private_pools,              ///< idle memory in private pools, which other requests cannot use
  rounding,                   ///< requests are rounded up to much larger blocks
  large_request,              ///< a single tensor is much larger than all others
  memory_fraction,            ///< the card had memory that the process may not use
};

struct MemoryExplanation {
  std::string source, format, settings;
  std::size_t device = 0;
  /// The program was recorded on a CPU, and the request names neither a card nor settings. Reserved memory
  /// then equals memory in use, and no GPU settings are proposed.
  bool on_cpu = false;
  std::size_t events = 0, allocations = 0;
  std::size_t residents = 0;  ///< number of first events, which stand for blocks from before the recording
  /// Bytes that were already reserved when the recording began.
  std::uint64_t reserved_before_bytes = 0;
  std::optional<std::uint64_t> capacity_bytes;
  /// The capacity is inferred from retries, which happen only if a request exceeds the card.
  bool capacity_is_inferred = false;
  /// The bytes of the card that the process may use because of a memory fraction. Not set if it may use the
  /// whole card.
  std::optional<std::uint64_t> allowed_bytes;
  /// The program set the memory fraction, but its value is not recorded. `allowed_bytes` is then an upper
  /// bound.
  bool allowed_is_inferred = false;
  std::optional<MemoryBaseline> baseline;
  std::vector<MemoryMargin> margins;  ///< margins of the verdict, then margins of the cause
  std::vector<std::string> notes;
  std::vector<MemoryOfDevice> devices;  ///< devices of the snapshot, or of all ranks; empty for a trace

  MemoryVerdict verdict = MemoryVerdict::sound;
  MemoryCause cause = MemoryCause::none;
  std::string cause_text;  ///< one or two sentences about the cause; empty if there is none
  MemoryRunOut moment;     ///< the explained moment: the failure, or else the peak of the memory in use
  /// The recording ends with a failed request. Later events are unknown.
  bool ends_with_failure = false;
  /// `moment` contains the recorded figures of the recorded failure, because the simulation deviates from
  /// them.
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

/// `molgauge memory diff`: compares two recordings.
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
  std::string before, after;                                  ///< names of the two recordings
  std::uint64_t before_peak_bytes = 0, after_peak_bytes = 0;  ///< peaks of the memory in use
  std::uint64_t before_end_bytes = 0, after_end_bytes = 0;
  std::uint64_t before_reserved_bytes = 0, after_reserved_bytes = 0;  ///< peaks of the reserved memory
  // Each list begins with the largest change.
  std::vector<MemoryGrowth> at_peak, at_end, by_phase;  ///< by_phase groups the memory at the peak by phase
  std::string text, json;
};

}  // namespace molgauge
