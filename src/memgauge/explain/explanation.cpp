#include "memgauge/explain/explanation.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/core/error.h"
#include "memgauge/explain/agreement.h"
#include "memgauge/explain/causes.h"
#include "memgauge/explain/cures.h"
#include "memgauge/explain/explanation_text.h"
#include "memgauge/explain/holders.h"
#include "memgauge/explain/iterations.h"
#include "memgauge/explain/leaks.h"
#include "memgauge/explain/lifetimes.h"
#include "memgauge/explain/replicas.h"
#include "memgauge/explain/roles.h"
#include "memgauge/explain/savings.h"
#include "memgauge/explain/setting_candidates.h"
#include "memgauge/recordings/recorded_phases.h"
#include "memgauge/simulator/rounding.h"

namespace molgauge::allocator {
namespace {

constexpr std::size_t kTimelinePoints = 400;
/// A run that fits is wasteful if more than this share of its reserved memory is idle. A small idle share is
/// normal, because the ends of segments are idle in any program.
constexpr double kWasteful = 0.2;

/// The sum of the bytes that the program requests after an event.
std::uint64_t asked_after(const Recording& recording, std::size_t event) {
  std::uint64_t bytes = 0;
  for (std::size_t i = event + 1; i < recording.events.size(); ++i) {
    bytes += recording.events[i].kind == EventKind::allocate ? recording.events[i].bytes : 0;
  }
  return bytes;
}

std::string name_in(const std::vector<Recording>& recordings, const Recording& recording) {
  const bool one_file = std::all_of(recordings.begin(), recordings.end(), [&](const Recording& other) {
    return other.source == recordings.front().source;
  });
  const std::string file = recording.source.substr(recording.source.find_last_of('/') + 1);
  const bool one_device = recording.devices.size() <= 1;
  return one_file     ? fmt::format("GPU {}", recording.device)
         : one_device ? file
                      : fmt::format("{}, GPU {}", file, recording.device);
}

class Explainer {
 public:
  Explainer(const std::vector<Recording>& all, std::size_t index, const ExplainMemoryRequest& request)
      : all_(all),
        recording_(all[index]),
        request_(request),
        setup_(simulation_setup(recording_, request.settings, request.capacity_bytes)),
        lifetimes_(lifetimes_of(recording_)) {
    explained_.explanation.on_cpu = recording_.is_of_cpu && !request.settings && !request.capacity_bytes;
    options_.settings = setup_.settings;
    options_.capacity = setup_.capacity;
    options_.card = setup_.card;
  }

  ExplainedMemory run() {
    if (shows_segments_alone() && (request_.settings || request_.capacity_bytes)) {
      throw UsageError(fmt::format(
          "{}: --setting and --capacity have no effect on a snapshot without a trace. Use 'molgauge memory "
          "simulate', which places its blocks from scratch",
          recording_.source));
    }
    options_.stretch_ends = even_stretches(recording_.events.size(), kTimelinePoints);
    ReplayResult result = run_base();
    if (result.run_out && recording_.least_capacity && !request_.capacity_bytes && !recorded_failure()) {
      // The recorded program did not run out of memory, so an inferred card size must not end its simulation.
      options_.capacity = setup_.capacity = DeviceMemory::kUnlimited;
      result = run_base();
    }
    describe_recording(result);
    if (shows_segments_alone()) {
      describe_recorded_state();
    } else {
      choose_moment(result);
    }
    holder_origins_ = count_holders(recording_, explained_.segments, explained_.explanation);
    if (explained_.explanation.on_cpu) {
      replace_figures_of_allocator();
    }
    explained_.explanation.pools = recorded_pools(recording_);
    judge(result);
    follow_phases();
    analyse();
    if (wants_cures(result)) {
      find_cures(result);
    }
    if (ran_out()) {
      find_cause({recording_, lifetimes_, roles(), iterations_, setup_.settings}, explained_.explanation);
    }
    if (!request_.page.empty()) {
      draw_history(result.events_run);
    }
    explained_.explanation.text = explanation_text(explained_.explanation);
    explained_.explanation.json = explanation_json(explained_.explanation);
    return std::move(explained_);
  }

 private:
  /// Simulates the program without changes, with the given settings. The result is compared with the
  /// recording if the settings are the recorded ones.
  ReplayResult run_base() {
    if (!recording_.recorded_reserve || !recording_.has_history()) {
      return replay(recording_, options_);
    }
    ReserveComparison comparison(recording_, recorded_failure());
    const auto compare = [&](std::size_t event, const CachingAllocator& allocator) {
      comparison.after(event, allocator);
    };
    ReplayOptions as_recorded = options_;
    as_recorded.after_event = compare;
    if (setup_.as_recorded) {
      ReplayResult result = replay(recording_, as_recorded);
      explained_.explanation.baseline = baseline_of(recording_, result, comparison);
      return result;
    }
    const SimulationSetup own = simulation_setup(recording_, std::nullopt, std::nullopt);
    as_recorded.settings = own.settings;
    as_recorded.capacity = recording_.least_capacity ? DeviceMemory::kUnlimited : own.capacity;
    as_recorded.card.reset();
    as_recorded.stretch_ends.clear();
    const ReplayResult recorded = replay(recording_, as_recorded);
    explained_.explanation.baseline = baseline_of(recording_, recorded, comparison);
    return replay(recording_, options_);
  }

  bool reproduces() const {
    return !explained_.explanation.baseline || explained_.explanation.baseline->reproduces;
  }

  std::optional<std::size_t> recorded_failure() const {
    for (std::size_t i = 0; i < recording_.events.size(); ++i) {
      if (recording_.events[i].kind == EventKind::out_of_memory) {
        return i;
      }
    }
    return std::nullopt;
  }

  /// The event of the recorded failure, if the failure ended the work. This is the case if the program later
  /// requests fewer bytes in total than the failed request.
  std::optional<std::size_t> end_of_work() const {
    const auto failure = recorded_failure();
    const bool is_the_end = failure && asked_after(recording_, *failure) < recording_.events[*failure].bytes;
    return is_the_end ? failure : std::nullopt;
  }

  bool shows_segments_alone() const {
    return !recording_.has_history() && !recording_.recorded_segments.empty();
  }

  bool ran_out() const {
    return explained_.explanation.verdict == MemoryVerdict::fragmented ||
           explained_.explanation.verdict == MemoryVerdict::too_much;
  }
  bool wants_cures(const ReplayResult& result) const {
    return ran_out() || explained_.explanation.verdict == MemoryVerdict::wasteful ||
           (explained_.explanation.retries > 0 && result.statistics.retries > 0);
  }

  void describe_recording(const ReplayResult& result) {
    auto& explanation = explained_.explanation;
    explanation.source = recording_.source;
    explanation.format = recording_.format;
    explanation.device = recording_.device;
    explanation.settings = setup_.settings_text;
    explanation.events = recording_.events.size();
    explanation.residents = recording_.residents;
    explanation.reserved_before_bytes =
        recording_.recorded_reserve ? recording_.recorded_reserve->bytes_at_start : 0;
    explanation.allocations = recording_.allocations;
    explanation.notes = setup_.notes;
    if (const std::string left_out = settings_left_out(recording_); !left_out.empty()) {
      explanation.notes.push_back(left_out);
    }
    explanation.retries = recording_.recorded_retries;
    explanation.empty_cache_calls = recording_.recorded_empty_cache;
    if (setup_.capacity != DeviceMemory::kUnlimited) {
      const bool has_allowance = recording_.allowance && !request_.capacity_bytes;
      explanation.capacity_bytes = has_allowance ? *recording_.capacity : setup_.capacity;
      explanation.capacity_is_inferred = recording_.least_capacity && !request_.capacity_bytes;
      explanation.allowed_is_inferred = has_allowance;
      if (allowed() < *explanation.capacity_bytes) {
        explanation.allowed_bytes = allowed();
      }
    }
    explanation.peak_reserved_bytes = result.statistics.reserved.peak;
    explanation.peak_in_use_bytes = result.statistics.allocated.peak;
    if (recording_.recorded_reserve) {
      explanation.recorded_peak_reserved_bytes = recording_.recorded_reserve->peak_bytes;
      if (setup_.as_recorded) {
        explanation.peak_reserved_bytes = recording_.recorded_reserve->peak_bytes;
      }
    }
    explanation.timeline = public_points(result.timeline);
    describe_devices();
  }

  /// The number of bytes that the process may reserve.
  std::uint64_t allowed() const {
    return std::min(setup_.capacity, allowed_bytes(setup_.settings, setup_.card.value_or(setup_.capacity)));
  }

  void describe_devices() {
    std::vector<std::string> seen;
    for (const auto& recording : all_) {
      if (std::find(seen.begin(), seen.end(), recording.source) != seen.end()) {
        continue;
      }
      seen.push_back(recording.source);
      for (const auto& device : recording.devices) {
        explained_.explanation.devices.push_back(
            {recording.source, device.device, device.events, device.out_of_memory, device.reserved_bytes,
             device.in_use_bytes, device.peak_reserved_bytes,
             recording.source == recording_.source && device.device == recording_.device});
      }
    }
  }

  /// Chooses the moment to explain: a failure, or the peak if there is no failure. If the simulation deviates
  /// from the recording, the recorded failure is explained. Otherwise, the failure in the simulation has
  /// priority over the recorded failure.
  void choose_moment(const ReplayResult& result) {
    auto& explanation = explained_.explanation;
    const auto failure = recorded_failure();
    explanation.ends_with_failure = end_of_work().has_value();
    if (failure && recording_.failure && setup_.as_recorded && !reproduces()) {
      failed_in_fact_ = true;
      describe_recorded_failure(*recording_.failure);
      return;
    }
    if (result.run_out && (!failure || result.run_out->event <= *failure)) {
      explanation.moment = public_run_out(recording_, *result.run_out);
      explained_.segments = picture_at(recording_, options_, result.run_out->event + 1);
      return;
    }
    std::size_t event = result.peak_allocated_event;
    if (explanation.on_cpu) {
      event = live_peak(recording_, lifetimes_).event;
    }
    if (failure) {
      event = *failure;
      if (explanation.on_cpu) {
        explanation.notes.push_back(
            fmt::format("memory was refused at event {}: the command's memory budget was reached", event));
      } else if (!setup_.as_recorded) {
        explanation.notes.push_back(
            fmt::format("the recorded program ran out of memory at event {}, but the simulation with these "
                        "settings and this card does not",
                        event));
      } else {
        failed_in_fact_ = true;
        explanation.notes.push_back(missing_failure(event));
      }
    }
    describe_moment(event);
  }

  /// Used if the simulation deviates from the recorded program. The explanation then shows the recorded
  /// figures.
  void describe_recorded_failure(const RecordedFailure& failure) {
    auto& explanation = explained_.explanation;
    auto& moment = explanation.moment;
    moment.event = failure.event;
    moment.phase = requesting_stack(recording_, failure.event);
    moment.origin = stack_that_asks(recording_, failure.event);
    moment.requested_bytes = recording_.events[failure.event].bytes;
    moment.reserved_bytes = failure.reserved;
    moment.device_free_bytes = failure.device_free;
    explanation.moment_is_recorded = true;
    explained_.segments = failure.segments;
    if (explained_.segments.empty()) {
      explained_.segments.push_back(live_blocks_at(failure.event));
      explanation.notes.emplace_back(
          "the simulation deviates from the recording and the segments at the failure are not known. Only "
          "sums are shown, because free memory may be one piece or many");
    } else {
      const IdleMemory idle = idle_memory(explained_.segments);
      moment.stranded_bytes = idle.stranded;
      moment.largest_free_block_bytes = idle.largest;
      explanation.notes.emplace_back(
          "the simulation deviates from the recording, so the recorded state is explained");
    }
    for (const auto& segment : explained_.segments) {
      for (const auto& block : segment.blocks) {
        moment.allocated_bytes += block.state == BlockState::allocated ? block.bytes : 0;
      }
    }
  }

  /// Shows the live blocks as one segment, because their addresses are unknown.
  SegmentPicture live_blocks_at(std::size_t event) const {
    SegmentPicture picture;
    for (const auto& lifetime : lifetimes_) {
      if (lifetime.lives_after(event)) {
        const std::uint64_t rounded = round_request(lifetime.bytes, setup_.settings);
        picture.blocks.push_back({0, rounded, lifetime.bytes, BlockState::allocated, lifetime.origin, 0});
        picture.reserved += rounded;
      }
    }
    return picture;
  }

  void describe_moment(std::size_t event) {
    ReplayOptions until = options_;
    until.stop_before = std::min(event + 1, recording_.events.size());
    until.stretch_ends.clear();
    const ReplayResult then = replay(recording_, until);
    auto& moment = explained_.explanation.moment;
    moment.event = event;
    if (!recording_.events.empty()) {
      moment.phase = requesting_stack(recording_, event);
      moment.origin = stack_that_asks(recording_, event);
      moment.requested_bytes = recording_.events[event].bytes;
    }
    moment.allocated_bytes = then.statistics.allocated.now;
    moment.reserved_bytes = then.statistics.reserved.now;
    moment.device_free_bytes =
        setup_.capacity == DeviceMemory::kUnlimited
            ? 0
            : setup_.capacity - std::min(setup_.capacity, then.statistics.reserved.now);
    moment.stranded_bytes = then.idle.stranded;
    moment.largest_free_block_bytes = then.idle.largest;
    explained_.segments = picture_at(recording_, options_, until.stop_before);
  }

  void describe_recorded_state() {
    auto& explanation = explained_.explanation;
    explanation.notes.push_back(
        fmt::format("the snapshot {}, so it shows one moment only. Call "
                    "torch.cuda.memory._record_memory_history() before the work to record the events",
                    recording_.events.size() == recording_.residents ? "has no trace" : "has one event"));
    explanation.timeline.clear();
    explained_.segments = recording_.recorded_segments;
    auto& moment = explanation.moment;
    for (const auto& segment : explained_.segments) {
      moment.reserved_bytes += segment.reserved;
      for (const auto& block : segment.blocks) {
        moment.allocated_bytes += block.state == BlockState::allocated ? block.bytes : 0;
      }
    }
    const IdleMemory idle = idle_memory(explained_.segments);
    moment.event = recording_.events.size();
    moment.stranded_bytes = idle.stranded;
    moment.largest_free_block_bytes = idle.largest;
    explanation.peak_reserved_bytes = moment.reserved_bytes;
    explanation.peak_in_use_bytes = moment.allocated_bytes;
  }

  /// The allocator of a CPU keeps no freed memory, and its sizes are the requested sizes. The sum of the live
  /// requested bytes therefore replaces the figures of the simulated allocator.
  void replace_figures_of_allocator() {
    auto& explanation = explained_.explanation;
    auto& moment = explanation.moment;
    moment.allocated_bytes = moment.reserved_bytes = explanation.requested_live_bytes;
    moment.stranded_bytes = moment.largest_free_block_bytes = 0;
    const std::uint64_t peak = live_peak(recording_, lifetimes_).bytes;
    explanation.peak_in_use_bytes = explanation.peak_reserved_bytes = peak;
    explanation.timeline = live_points(options_.stretch_ends);
  }

  /// Timeline points of a recording from a CPU. `ends`: the last event of each interval.
  std::vector<MemoryTimelinePoint> live_points(const std::vector<std::size_t>& ends) const {
    std::vector<MemoryTimelinePoint> points;
    for (const LivePeak& peak : live_peaks(recording_, lifetimes_, ends)) {
      points.push_back(
          {.event = ends[points.size()], .reserved_bytes = peak.bytes, .allocated_bytes = peak.bytes});
    }
    return points;
  }

  void judge(const ReplayResult& result) {
    auto& explanation = explained_.explanation;
    const auto& moment = explanation.moment;
    if (shows_segments_alone()) {
      explanation.verdict = MemoryVerdict::no_history;
      return;
    }
    if (result.run_out || failed_in_fact_) {
      const std::uint64_t needed =
          moment.allocated_bytes + round_request(moment.requested_bytes, setup_.settings);
      std::uint64_t idle_in_pools = 0;  // only requests of the same private pool can use this memory
      for (const auto& pool : explanation.pools) {
        idle_in_pools += pool.reserved_bytes - std::min(pool.reserved_bytes, pool.in_use_bytes);
      }
      const std::uint64_t room =
          failed_in_fact_ ? std::min(allowed(), moment.reserved_bytes + moment.device_free_bytes) : allowed();
      explanation.verdict =
          needed + idle_in_pools <= room ? MemoryVerdict::fragmented : MemoryVerdict::too_much;
      add_margin("memory in use and the request, as a share of the memory that the process may use",
                 share_of(needed + idle_in_pools, room), 1);
      return;
    }
    if (explanation.on_cpu) {
      explanation.verdict = MemoryVerdict::sound;  // the CPU allocator has no cache that could be idle
      return;
    }
    const std::uint64_t reserved = explanation.peak_reserved_bytes;
    const auto idle = static_cast<double>(reserved - std::min(reserved, explanation.peak_in_use_bytes));
    explanation.verdict =
        idle > kWasteful * static_cast<double>(reserved) ? MemoryVerdict::wasteful : MemoryVerdict::sound;
    add_margin("reserved memory that was never in use, as a share of the peak reserved memory",
               reserved == 0 ? 0 : idle / static_cast<double>(reserved), kWasteful);
  }

  static double share_of(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  }
  void add_margin(std::string figure, double value, double threshold) {
    explained_.explanation.margins.push_back({std::move(figure), value, threshold, value > threshold});
  }

  void follow_phases() {
    const auto phases = repeated_phases(recording_);
    if (phases.empty()) {
      return;
    }
    ReplayOptions options = options_;
    options.stretch_ends.clear();
    for (const auto& phase : phases) {
      options.stretch_ends.push_back(phase.last_event);
    }
    const auto points = explained_.explanation.on_cpu ? live_points(options.stretch_ends)
                                                      : public_points(replay(recording_, options).timeline);
    for (std::size_t i = 0; i < points.size(); ++i) {
      explained_.explanation.stretches.push_back({phases[i].name, points[i]});
    }
  }

  /// Finds roles, iterations, leaks, replicas and savings.
  void analyse() {
    auto& explanation = explained_.explanation;
    iterations_ = iterations_of(recording_);
    found_roles_ = roles_of(recording_, lifetimes_, iterations_,
                            end_of_work().value_or(std::numeric_limits<std::size_t>::max()));
    explanation.kept_from_before_bytes = kept_from_before();
    name_roles({recording_, lifetimes_, found_roles_, holder_origins_}, explanation);
    if (!recording_.has_history()) {
      return;
    }
    const std::size_t last = recording_.events.size() - 1;
    explanation.leaks = leaks_of(recording_, lifetimes_, iterations_,
                                 ran_out() ? explanation.moment.event : last, end_of_work().value_or(last));
    explanation.savings =
        savings_of({recording_, lifetimes_, iterations_, roles(), end_of_work(), allowed()});
    std::vector<const Recording*> recordings{&recording_};
    std::vector<std::string> names{name_in(all_, recording_)};
    for (const auto& other : all_) {
      if (&other != &recording_) {
        recordings.push_back(&other);
        names.push_back(name_in(all_, other));
      }
    }
    const auto failed = ran_out() ? std::optional(explanation.moment.event) : std::nullopt;
    const std::uint64_t card = allowed();
    if (const auto found = compare_replicas(recordings, names, failed, card)) {
      explanation.imbalance = found->imbalance;
      explanation.extrapolation = found->extrapolation;
    }
    if (failed && !explanation.extrapolation) {
      explanation.extrapolation = compare_iterations(recording_, lifetimes_, iterations_, *failed, card);
    }
  }

  /// Bytes of activations from the previous iteration that are live at the explained moment. A variable of
  /// the program still refers to them, for example a loss, outputs or a graph.
  std::uint64_t kept_from_before() const {
    const std::size_t event = explained_.explanation.moment.event;
    const long now = iterations_.of(event);
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; now > 0 && i < lifetimes_.size(); ++i) {
      const Lifetime& lifetime = lifetimes_[i];
      if (roles()[i] == MemoryRole::activations && lifetime.lives_after(event) &&
          iterations_.of(lifetime.born) == now - 1) {
        bytes += lifetime.bytes;
      }
    }
    return bytes;
  }

  const std::vector<MemoryRole>& roles() const { return found_roles_.of; }

  void find_cures(const ReplayResult& result) {
    auto& explanation = explained_.explanation;
    if (failed_in_fact_ || !reproduces()) {
      return;  // the simulation without changes deviates, so it cannot tell which change helps
    }
    const std::vector<bool> follows = follows_batch(recording_, lifetimes_, roles());
    const bool is_inferred =
        explanation.capacity_is_inferred && options_.capacity != DeviceMemory::kUnlimited;
    explanation.cures =
        try_cures(recording_, {options_, setup_.settings_text, result,
                               is_inferred ? recording_.least_capacity : std::nullopt, follows});
    for (auto& cure : explanation.cures) {
      cure.tried_to_the_end = !explanation.ends_with_failure;
    }
    if (explanation.extrapolation) {
      // If another replica or iteration did the same work, the extrapolation from its memory is a better
      // guide than simulated changes of the program. The recording ends with the failed request, so it is
      // only known that these changes satisfy this request.
      std::erase_if(explanation.cures, [](const MemoryCure& cure) {
        return !cure.is_setting && !cure.tried_to_the_end && cure.is_cure;
      });
    }
  }

  /// `reached`: number of simulated events, up to the failure or the end of the recording.
  void draw_history(std::size_t reached) {
    const HistoryRecorder recorder(recording_, explained_.explanation.moment.event, roles());
    explained_.history = recorder.history();
    auto& history = explained_.history;
    if (!recording_.has_history()) {
      for (auto& view : history.views) {
        view.points.clear();
      }
      history.states = {{recording_.events.size(),
                         group_segments(explained_.segments, recorder.series_of(), history.series().size())}};
      return;
    }
    if (explained_.explanation.on_cpu) {
      return;
    }
    history.states = recorder.states(options_, reached);
    for (const auto& cure : explained_.explanation.cures) {
      if (cure.is_cure && cure.is_setting) {
        ReplayOptions options = options_;
        options.settings = parse_allocator_settings(cure.settings);
        history.cured_states = recorder.states(options, reached);
        history.cure = cure.change;
        return;
      }
    }
  }

  const std::vector<Recording>& all_;
  const Recording& recording_;
  const ExplainMemoryRequest& request_;
  SimulationSetup setup_;
  ReplayOptions options_;
  bool failed_in_fact_ = false;  ///< the recorded program ran out of memory, but the simulation did not
  std::vector<Lifetime> lifetimes_;
  Iterations iterations_;
  Roles found_roles_;
  std::vector<std::uint32_t> holder_origins_;
  ExplainedMemory explained_;
};

/// The index of the first recording that contains a failed request, or 0 if there is none.
std::size_t most_interesting(const std::vector<Recording>& recordings) {
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    const auto& events = recordings[i].events;
    if (std::any_of(events.begin(), events.end(),
                    [](const MemoryEvent& event) { return event.kind == EventKind::out_of_memory; })) {
      return i;
    }
  }
  return 0;
}

}  // namespace

std::optional<std::size_t> named_device(const ExplainMemoryRequest& request) {
  std::size_t number = 0;
  const char* const end = request.device.data() + request.device.size();
  const auto [stop, failure] = std::from_chars(request.device.data(), end, number);
  return failure == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

ExplainedMemory explain(const Recording& recording, const ExplainMemoryRequest& request) {
  return Explainer({recording}, 0, request).run();
}

std::vector<ExplainedMemory> explain(const std::vector<Recording>& recordings,
                                     const ExplainMemoryRequest& request) {
  const std::size_t first = named_device(request) ? 0 : most_interesting(recordings);
  std::vector<ExplainedMemory> explained;
  explained.push_back(Explainer(recordings, first, request).run());
  for (std::size_t i = 0; request.device == "all" && i < recordings.size(); ++i) {
    if (i != first) {
      explained.push_back(Explainer(recordings, i, request).run());
    }
  }
  return explained;
}

}  // namespace molgauge::allocator
