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
#include "memgauge/explain/moment.h"
#include "memgauge/explain/replicas.h"
#include "memgauge/explain/roles.h"
#include "memgauge/explain/savings.h"
#include "memgauge/explain/subject.h"
#include "memgauge/explain/verdict.h"
#include "memgauge/recordings/recorded_phases.h"

namespace molgauge::allocator {
namespace {

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

/// The simulation of the program without changes.
struct BaseRun {
  ReplayResult result;
  std::optional<MemoryBaseline> baseline;  ///< not set if the recording has nothing to compare with

  bool reproduces() const { return !baseline || baseline->reproduces; }
};

/// Simulates the program with the settings of the subject, and compares the recorded settings with the
/// recording.
BaseRun base_run(const Subject& subject) {
  const Recording& recording = subject.recording;
  if (!recording.recorded_reserve || !recording.has_history()) {
    return {replay(recording, subject.options), std::nullopt};
  }
  ReserveComparison comparison(recording, subject.recorded_failure());
  ReplayOptions as_recorded = subject.options;
  as_recorded.after_event = [&](std::size_t event, const CachingAllocator& allocator) {
    comparison.after(event, allocator);
  };
  if (subject.setup.as_recorded) {
    ReplayResult result = replay(recording, as_recorded);
    const MemoryBaseline baseline = baseline_of(recording, result, comparison);
    return {std::move(result), baseline};
  }
  const SimulationSetup own = simulation_setup(recording, std::nullopt, std::nullopt);
  as_recorded.settings = own.settings;
  as_recorded.capacity = recording.least_capacity ? DeviceMemory::kUnlimited : own.capacity;
  as_recorded.card.reset();
  as_recorded.stretch_ends.clear();
  const ReplayResult recorded = replay(recording, as_recorded);
  return {replay(recording, subject.options), baseline_of(recording, recorded, comparison)};
}

/// Adds the peaks and the timeline of a simulation.
void add_simulation(MemoryExplanation& explanation, const Subject& subject, const BaseRun& base) {
  const auto& recorded = subject.recording.recorded_reserve;
  explanation.baseline = base.baseline;
  explanation.peak_reserved_bytes = base.result.statistics.reserved.peak;
  explanation.peak_in_use_bytes = base.result.statistics.allocated.peak;
  explanation.timeline = public_points(base.result.timeline);
  if (recorded) {
    explanation.recorded_peak_reserved_bytes = recorded->peak_bytes;
    if (subject.setup.as_recorded) {
      explanation.peak_reserved_bytes = recorded->peak_bytes;
    }
  }
}

/// Adds the moment and its holders. Returns the origin of each holder.
std::vector<std::uint32_t> add_moment(ExplainedMemory& explained, const Subject& subject,
                                      ExplainedMoment moment) {
  MemoryExplanation& explanation = explained.explanation;
  explanation.moment = std::move(moment.moment);
  explanation.moment_is_recorded = moment.is_recorded;
  explanation.notes.insert(explanation.notes.end(), moment.notes.begin(), moment.notes.end());
  explained.segments = std::move(moment.segments);
  return count_holders(subject.recording, explained.segments, explanation);
}

void add_judgement(MemoryExplanation& explanation, Judgement judgement) {
  explanation.verdict = judgement.verdict;
  explanation.margins = std::move(judgement.margins);
}

/// Adds the memory of repeated phases. `points_of`: the timeline of intervals, from their last events.
template <typename PointsOf>
void add_phases(MemoryExplanation& explanation, const Recording& recording, PointsOf points_of) {
  const auto phases = repeated_phases(recording);
  if (phases.empty()) {
    return;
  }
  std::vector<std::size_t> ends;
  for (const auto& phase : phases) {
    ends.push_back(phase.last_event);
  }
  const std::vector<MemoryTimelinePoint> points = points_of(ends);
  for (std::size_t i = 0; i < points.size(); ++i) {
    explanation.stretches.push_back({phases[i].name, points[i]});
  }
}

/// What the allocations of a program are for.
struct Analysis {
  Iterations iterations;
  Roles roles;
};

/// Bytes of activations from the previous iteration that are live at `event`. A variable of the program still
/// refers to them, for example a loss, outputs or a graph.
std::uint64_t kept_from_before(const Subject& subject, const Analysis& analysis, std::size_t event) {
  const long now = analysis.iterations.of(event);
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; now > 0 && i < subject.lifetimes.size(); ++i) {
    const Lifetime& lifetime = subject.lifetimes[i];
    if (analysis.roles.of[i] == MemoryRole::activations && lifetime.lives_after(event) &&
        analysis.iterations.of(lifetime.born) == now - 1) {
      bytes += lifetime.bytes;
    }
  }
  return bytes;
}

/// Compares the recording with the other ranks or devices, or the failed iteration with earlier ones.
void compare_work(MemoryExplanation& explanation, const Subject& subject, const Analysis& analysis) {
  std::vector<const Recording*> recordings{&subject.recording};
  std::vector<std::string> names{name_in(subject.all, subject.recording)};
  for (const auto& other : subject.all) {
    if (&other != &subject.recording) {
      recordings.push_back(&other);
      names.push_back(name_in(subject.all, other));
    }
  }
  const auto failed = ran_out(explanation.verdict) ? std::optional(explanation.moment.event) : std::nullopt;
  const std::uint64_t card = subject.allowed();
  if (const auto found = compare_replicas(recordings, names, failed, card)) {
    explanation.imbalance = found->imbalance;
    explanation.extrapolation = found->extrapolation;
  }
  if (failed && !explanation.extrapolation) {
    explanation.extrapolation =
        compare_iterations(subject.recording, subject.lifetimes, analysis.iterations, *failed, card);
  }
}

/// Adds roles, leaks, savings and replicas. `origins`: result of add_moment().
Analysis add_analysis(MemoryExplanation& explanation, const Subject& subject,
                      const std::vector<std::uint32_t>& origins) {
  const Recording& recording = subject.recording;
  const auto end = subject.end_of_work();
  Analysis analysis{.iterations = iterations_of(recording), .roles = {}};
  analysis.roles = roles_of(recording, subject.lifetimes, analysis.iterations,
                            end.value_or(std::numeric_limits<std::size_t>::max()));
  explanation.kept_from_before_bytes = kept_from_before(subject, analysis, explanation.moment.event);
  name_roles({recording, subject.lifetimes, analysis.roles, origins}, explanation);
  if (recording.has_history()) {
    const std::size_t last = recording.events.size() - 1;
    explanation.leaks =
        leaks_of(recording, subject.lifetimes, analysis.iterations,
                 ran_out(explanation.verdict) ? explanation.moment.event : last, end.value_or(last));
    explanation.savings = savings_of(
        {recording, subject.lifetimes, analysis.iterations, analysis.roles.of, end, subject.allowed()});
    compare_work(explanation, subject, analysis);
  }
  return analysis;
}

/// Simulates changes that could help. `result`: the simulation without changes.
std::vector<MemoryCure> cures_of(const Subject& subject, const ReplayResult& result, const Analysis& analysis,
                                 const MemoryExplanation& explanation) {
  const std::vector<bool> follows = follows_batch(subject.recording, subject.lifetimes, analysis.roles.of);
  const bool is_inferred =
      explanation.capacity_is_inferred && subject.options.capacity != DeviceMemory::kUnlimited;
  std::vector<MemoryCure> cures =
      try_cures(subject.recording, {subject.options, subject.setup.settings_text, result,
                                    is_inferred ? subject.recording.least_capacity : std::nullopt, follows});
  for (auto& cure : cures) {
    cure.tried_to_the_end = !explanation.ends_with_failure;
  }
  if (explanation.extrapolation) {
    // If another replica or iteration did the same work, the extrapolation from its memory is a better guide
    // than simulated changes of the program. The recording ends with the failed request, so it is only known
    // that these changes satisfy this request.
    std::erase_if(cures, [](const MemoryCure& cure) {
      return !cure.is_setting && !cure.tried_to_the_end && cure.is_cure;
    });
  }
  return cures;
}

/// The holders over time, and the segments at several moments. `reached`: number of simulated events, up to
/// the failure or the end of the recording.
MemoryHistory history_on_gpu(const Subject& subject, const ExplainedMemory& explained,
                             const std::vector<MemoryRole>& roles, std::size_t reached) {
  const HistoryRecorder recorder(subject.recording, explained.explanation.moment.event, roles);
  MemoryHistory history = recorder.history();
  if (!subject.recording.has_history()) {
    for (auto& view : history.views) {
      view.points.clear();
    }
    history.states = {{subject.recording.events.size(),
                       group_segments(explained.segments, recorder.series_of(), history.series().size())}};
    return history;
  }
  history.states = recorder.states(subject.options, reached);
  for (const auto& cure : explained.explanation.cures) {
    if (cure.is_cure && cure.is_setting) {
      ReplayOptions options = subject.options;
      options.settings = parse_allocator_settings(cure.settings);
      history.cured_states = recorder.states(options, reached);
      history.cure = cure.change;
      break;
    }
  }
  return history;
}

ExplainedMemory written(ExplainedMemory explained) {
  explained.explanation.text = explanation_text(explained.explanation);
  explained.explanation.json = explanation_json(explained.explanation);
  return explained;
}

/// Explains a program on a CPU. All its figures are sums of live requested bytes.
ExplainedMemory explain_cpu(const Subject& subject) {
  ExplainedMemory explained{.explanation = facts_of(subject)};
  MemoryExplanation& explanation = explained.explanation;
  explanation.peak_in_use_bytes = explanation.peak_reserved_bytes =
      live_peak(subject.recording, subject.lifetimes).bytes;
  explanation.timeline = live_points(subject, subject.options.stretch_ends);
  const auto origins = add_moment(explained, subject, live_moment(subject));
  // The allocator of a CPU has no cache that could be idle.
  explanation.verdict = MemoryVerdict::sound;
  add_phases(explanation, subject.recording,
             [&](const std::vector<std::size_t>& ends) { return live_points(subject, ends); });
  const Analysis analysis = add_analysis(explanation, subject, origins);
  if (!subject.request.page.empty()) {
    explained.history =
        HistoryRecorder(subject.recording, explanation.moment.event, analysis.roles.of).history();
  }
  return written(std::move(explained));
}

/// Explains a snapshot that contains segments, but not how they came about.
ExplainedMemory explain_segments(const Subject& subject) {
  if (subject.request.settings || subject.request.capacity_bytes) {
    throw UsageError(fmt::format(
        "{}: --setting and --capacity have no effect on a snapshot without a trace. Use 'molgauge memory "
        "simulate', which places its blocks from scratch",
        subject.recording.source));
  }
  ExplainedMemory explained{.explanation = facts_of(subject)};
  MemoryExplanation& explanation = explained.explanation;
  const auto origins = add_moment(explained, subject, recorded_state(subject));
  explanation.peak_reserved_bytes = explanation.moment.reserved_bytes;
  explanation.peak_in_use_bytes = explanation.moment.allocated_bytes;
  if (subject.recording.recorded_reserve) {
    explanation.recorded_peak_reserved_bytes = subject.recording.recorded_reserve->peak_bytes;
  }
  explanation.verdict = MemoryVerdict::no_history;
  const Analysis analysis = add_analysis(explanation, subject, origins);
  if (!subject.request.page.empty()) {
    explained.history = history_on_gpu(subject, explained, analysis.roles.of, /*reached=*/0);
  }
  return written(std::move(explained));
}

/// Explains a program on a GPU: load, simulate, describe, test changes, write.
ExplainedMemory explain_gpu(Subject subject) {
  BaseRun base = base_run(subject);
  if (base.result.run_out && subject.recording.least_capacity && !subject.request.capacity_bytes &&
      !subject.recorded_failure()) {
    // The recorded program did not run out of memory, so an inferred card size must not end its simulation.
    subject.options.capacity = subject.setup.capacity = DeviceMemory::kUnlimited;
    base = base_run(subject);
  }
  const ReplayResult& result = base.result;
  ExplainedMemory explained{.explanation = facts_of(subject)};
  MemoryExplanation& explanation = explained.explanation;
  add_simulation(explanation, subject, base);
  const ExplainedMoment moment = simulated_moment(subject, result, base.reproduces());
  const auto origins = add_moment(explained, subject, moment);
  add_judgement(explanation,
                result.run_out || moment.failed_in_fact
                    ? judge_failure(subject, moment, explanation.pools)
                    : judge_peaks(explanation.peak_reserved_bytes, explanation.peak_in_use_bytes));
  add_phases(explanation, subject.recording, [&](const std::vector<std::size_t>& ends) {
    ReplayOptions options = subject.options;
    options.stretch_ends = ends;
    return public_points(replay(subject.recording, options).timeline);
  });
  const Analysis analysis = add_analysis(explanation, subject, origins);
  const bool wants_cures = ran_out(explanation.verdict) || explanation.verdict == MemoryVerdict::wasteful ||
                           (explanation.retries > 0 && result.statistics.retries > 0);
  // If the simulation without changes deviates, it cannot tell which change helps.
  if (wants_cures && !moment.failed_in_fact && base.reproduces()) {
    explanation.cures = cures_of(subject, result, analysis, explanation);
  }
  if (ran_out(explanation.verdict)) {
    find_cause({subject.recording, subject.lifetimes, analysis.roles.of, analysis.iterations,
                subject.setup.settings},
               explanation);
  }
  if (!subject.request.page.empty()) {
    explained.history = history_on_gpu(subject, explained, analysis.roles.of, result.events_run);
  }
  return written(std::move(explained));
}

ExplainedMemory explain_one(const std::vector<Recording>& all, std::size_t index,
                            const ExplainMemoryRequest& request) {
  Subject subject(all, index, request);
  return subject.is_on_cpu()              ? explain_cpu(subject)
         : subject.shows_segments_alone() ? explain_segments(subject)
                                          : explain_gpu(std::move(subject));
}

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
  return explain_one({recording}, 0, request);
}

std::vector<ExplainedMemory> explain(const std::vector<Recording>& recordings,
                                     const ExplainMemoryRequest& request) {
  const std::size_t first = named_device(request) ? 0 : most_interesting(recordings);
  std::vector<ExplainedMemory> explained;
  explained.push_back(explain_one(recordings, first, request));
  for (std::size_t i = 0; request.device == "all" && i < recordings.size(); ++i) {
    if (i != first) {
      explained.push_back(explain_one(recordings, i, request));
    }
  }
  return explained;
}

}  // namespace molgauge::allocator
