#include "memory/allocator/explain/explanation.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "core/error.h"
#include "memory/allocator/explain/causes.h"
#include "memory/allocator/explain/cures.h"
#include "memory/allocator/explain/explanation_text.h"
#include "memory/allocator/explain/iterations.h"
#include "memory/allocator/explain/leaks.h"
#include "memory/allocator/explain/lifetimes.h"
#include "memory/allocator/explain/replicas.h"
#include "memory/allocator/explain/roles.h"
#include "memory/allocator/explain/savings.h"
#include "memory/allocator/recordings/recorded_phases.h"
#include "memory/allocator/simulator/rounding.h"

namespace headroom::allocator {
namespace {

constexpr std::size_t kTimelinePoints = 400;
/// A run that fits is called wasteful above this idle share of the reserved memory.
constexpr double kWasteful = 0.2;

/// Requested bytes after an event.
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
        setup_(simulation_setup(recording_, request.settings, request.capacity_bytes)) {
    explained_.explanation.on_cpu = recording_.is_of_cpu && !request.settings && !request.capacity_bytes;
    options_.settings = setup_.settings;
    options_.capacity = setup_.capacity;
    options_.from_start_state = setup_.settings_text == recording_.settings;
  }

  ExplainedMemory run() {
    if (shows_segments_alone() && (request_.settings || request_.capacity_bytes)) {
      throw UsageError(fmt::format(
          "{}: --setting and --capacity have no effect on a snapshot without a trace; 'headroom memory "
          "simulate' lays its blocks out anew",
          recording_.source));
    }
    options_.stretch_ends = even_stretches(recording_.events.size(), kTimelinePoints);
    ReplayResult result = replay(recording_, options_);
    if (result.run_out && recording_.least_capacity && !request_.capacity_bytes && !recorded_failure()) {
      // A card size that was only concluded cannot have ended a run that did not end.
      options_.capacity = setup_.capacity = DeviceMemory::kUnlimited;
      result = replay(recording_, options_);
    }
    describe_recording(result);
    if (shows_segments_alone()) {
      describe_recorded_state();
    } else {
      choose_moment(result);
    }
    count_holders();
    count_pools();
    judge(result);
    follow_phases();
    analyse();
    if (wants_cures(result)) {
      find_cures(result);
    }
    if (ran_out()) {
      find_cause({recording_, lifetimes_, roles_, iterations_}, explained_.explanation);
    }
    if (!request_.html.empty()) {
      draw_history(result.events_run);
    }
    explained_.explanation.text = explanation_text(explained_.explanation);
    explained_.explanation.json = explanation_json(explained_.explanation);
    return std::move(explained_);
  }

 private:
  std::optional<std::size_t> recorded_failure() const {
    for (std::size_t i = 0; i < recording_.events.size(); ++i) {
      if (recording_.events[i].kind == EventKind::out_of_memory) {
        return i;
      }
    }
    return std::nullopt;
  }

  /// The recorded failure, if the program only freed memory after it.
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
    explanation.allocations = recording_.allocations;
    explanation.notes = setup_.notes;
    explanation.retries = recording_.recorded_retries;
    explanation.empty_cache_calls = recording_.recorded_empty_cache;
    if (setup_.capacity != DeviceMemory::kUnlimited) {
      explanation.capacity_bytes = setup_.capacity;
      const std::uint64_t allowed = allowed_bytes(setup_.settings, setup_.capacity);
      if (allowed < setup_.capacity) {
        explanation.allowed_bytes = allowed;
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
    for (const auto& point : result.timeline) {
      explanation.timeline.push_back(public_point(point));
    }
    describe_devices();
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

  /// The moment where memory runs out; else where it really did, if the simulation gets there; else the peak.
  void choose_moment(const ReplayResult& result) {
    auto& explanation = explained_.explanation;
    const auto failure = recorded_failure();
    explanation.ends_with_failure = end_of_work().has_value();
    if (result.run_out && (!failure || result.run_out->event <= *failure)) {
      explanation.moment = public_run_out(recording_, *result.run_out);
      explained_.segments = picture_at(recording_, options_, result.run_out->event + 1);
      return;
    }
    std::size_t event = result.peak_allocated_event;
    if (explanation.on_cpu) {
      event = live_peak(recording_, lifetimes_of(recording_)).event;
    }
    if (failure) {
      event = *failure;
      if (explanation.on_cpu) {
        explanation.notes.push_back(
            fmt::format("memory was refused at event {}: the command's memory budget was reached", event));
      } else if (!setup_.as_recorded) {
        explanation.notes.push_back(
            fmt::format("the recorded program ran out of memory at event {}; with these settings and this "
                        "card it does not",
                        event));
      } else {
        failed_in_fact_ = true;
        explanation.notes.push_back(fmt::format(
            "the recorded program ran out of memory at event {}, where the simulation finds room: something "
            "beside this allocator took memory of the card, or the state at the beginning was another",
            event));
      }
    }
    describe_moment(event);
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
    explanation.notes.emplace_back(
        "the snapshot holds no trace, so what came before it is not known; call "
        "torch.cuda.memory._record_memory_history() before the work");
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

  /// Freed memory that another stream still uses is a holder of its own.
  void count_holders() {
    auto& explanation = explained_.explanation;
    std::map<std::tuple<std::uint32_t, bool, std::string>, MemoryHolder> found;
    for (const auto& segment : explained_.segments) {
      for (const auto& block : segment.blocks) {
        if (block.state == BlockState::free) {
          continue;
        }
        const bool pending = block.state == BlockState::pending;
        MemoryHolder& holder = found[{block.origin, pending, segment.pool}];
        holder.bytes += explanation.on_cpu ? block.requested : block.bytes;
        ++holder.blocks;
        if (pending) {
          explanation.moment.pending_bytes += block.bytes;
        } else {
          explanation.requested_live_bytes += block.requested;
        }
      }
    }
    if (explanation.on_cpu) {
      explanation.moment.allocated_bytes = explanation.requested_live_bytes;
    }
    for (auto& [key, holder] : found) {
      const auto& [origin, pending, pool] = key;
      const StackSummary& stack = stack_of(recording_, origin);
      holder.origin = recording_.origins[origin];
      holder.operation = stack.operation;
      holder.frames = stack.frames;
      holder.pending = pending;
      holder.pool = pool;
      explanation.holders.push_back(std::move(holder));
      holder_origins_.push_back(origin);
    }
  }

  void count_pools() {
    std::map<std::string, MemoryOfPool> pools;
    for (const auto& segment : recording_.recorded_segments) {
      if (segment.pool.empty()) {
        continue;
      }
      MemoryOfPool& pool = pools[segment.pool];
      pool.name = segment.pool;
      ++pool.segments;
      pool.reserved_bytes += segment.reserved;
      for (const auto& block : segment.blocks) {
        pool.in_use_bytes += block.state == BlockState::allocated ? block.bytes : 0;
        pool.pending_bytes += block.state == BlockState::pending ? block.bytes : 0;
      }
    }
    for (auto& [name, pool] : pools) {
      explained_.explanation.pools.push_back(std::move(pool));
    }
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
      std::uint64_t idle_in_pools = 0;  // no request outside of a private pool can have it
      for (const auto& pool : explanation.pools) {
        idle_in_pools += pool.reserved_bytes - std::min(pool.reserved_bytes, pool.in_use_bytes);
      }
      explanation.verdict = needed + idle_in_pools <= allowed_bytes(setup_.settings, setup_.capacity)
                                ? MemoryVerdict::fragmented
                                : MemoryVerdict::too_much;
      return;
    }
    if (explanation.on_cpu) {
      explanation.verdict = MemoryVerdict::sound;  // idle memory within a cache exists on a GPU only
      return;
    }
    const std::uint64_t reserved = explanation.peak_reserved_bytes;
    const auto idle = static_cast<double>(reserved - std::min(reserved, explanation.peak_in_use_bytes));
    explanation.verdict =
        idle > kWasteful * static_cast<double>(reserved) ? MemoryVerdict::wasteful : MemoryVerdict::sound;
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
    const ReplayResult result = replay(recording_, options);
    for (std::size_t i = 0; i < result.timeline.size(); ++i) {
      explained_.explanation.stretches.push_back({phases[i].name, public_point(result.timeline[i])});
    }
  }

  /// Determines roles, iterations, leaks, replicas, savings.
  void analyse() {
    auto& explanation = explained_.explanation;
    lifetimes_ = lifetimes_of(recording_);
    iterations_ = iterations_of(recording_);
    roles_ = roles_of(recording_, lifetimes_, iterations_);
    name_roles();
    if (!recording_.has_history()) {
      return;
    }
    const std::size_t last = recording_.events.size() - 1;
    explanation.leaks = leaks_of(recording_, lifetimes_, iterations_,
                                 ran_out() ? explanation.moment.event : last, end_of_work().value_or(last));
    explanation.savings = savings_of(recording_, lifetimes_, roles_, end_of_work().value_or(last));
    std::vector<const Recording*> recordings{&recording_};
    std::vector<std::string> names{name_in(all_, recording_)};
    for (const auto& other : all_) {
      if (&other != &recording_) {
        recordings.push_back(&other);
        names.push_back(name_in(all_, other));
      }
    }
    const auto failed = ran_out() ? std::optional(explanation.moment.event) : std::nullopt;
    const std::uint64_t card = allowed_bytes(setup_.settings, setup_.capacity);
    if (const auto found = compare_replicas(recordings, names, failed, card)) {
      explanation.imbalance = found->imbalance;
      explanation.extrapolation = found->extrapolation;
    }
    if (failed && !explanation.extrapolation) {
      explanation.extrapolation = compare_iterations(recording_, lifetimes_, iterations_, *failed, card);
    }
  }

  /// The role of a holder is the one with most of its bytes.
  void name_roles() {
    auto& explanation = explained_.explanation;
    std::map<std::uint32_t, std::array<std::uint64_t, kRoles>> bytes;
    for (std::size_t i = 0; i < lifetimes_.size(); ++i) {
      if (lifetimes_[i].lives_after(explanation.moment.event) || !recording_.has_history()) {
        bytes[lifetimes_[i].origin].at(static_cast<std::size_t>(roles_[i])) += lifetimes_[i].bytes;
      }
    }
    for (std::size_t i = 0; i < explanation.holders.size(); ++i) {
      const auto& held = bytes[holder_origins_[i]];
      const auto most = std::max_element(held.begin(), held.end());
      explanation.holders[i].role = *most == 0 ? MemoryRole::other : MemoryRole(most - held.begin());
    }
    std::stable_sort(
        explanation.holders.begin(), explanation.holders.end(),
        [](const MemoryHolder& left, const MemoryHolder& right) { return left.bytes > right.bytes; });
  }

  void find_cures(const ReplayResult& result) {
    auto& explanation = explained_.explanation;
    explanation.cures = try_cures(recording_, options_, setup_.settings_text, result);
    for (auto& cure : explanation.cures) {
      cure.tried_to_the_end = !explanation.ends_with_failure;
    }
    if (failed_in_fact_) {
      // The simulation fits without any change, so that it cannot tell which change helps.
      explanation.cures.clear();
    }
    if (explanation.extrapolation) {
      // The memory of the same work elsewhere tells more than a cure known only for the request that failed.
      std::erase_if(explanation.cures, [](const MemoryCure& cure) {
        return !cure.is_setting && !cure.tried_to_the_end && cure.is_cure;
      });
    }
  }

  /// `reached`: how many events were run until memory ran out or the recording ended.
  void draw_history(std::size_t reached) {
    const HistoryRecorder recorder(recording_, explained_.explanation.moment.event, roles_);
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
      const std::size_t start = cure.change.find('=') + 1;
      if (cure.is_cure && cure.is_setting && start > 0) {
        ReplayOptions options = options_;
        options.settings = parse_allocator_settings(cure.change.substr(start, cure.change.find(' ') - start));
        options.from_start_state = false;
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
  bool failed_in_fact_ = false;  ///< the real program ran out where the simulation fits
  std::vector<Lifetime> lifetimes_;
  Iterations iterations_;
  std::vector<MemoryRole> roles_;
  std::vector<std::uint32_t> holder_origins_;
  ExplainedMemory explained_;
};

/// The first device that ran out of memory, else the first.
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

}  // namespace headroom::allocator
