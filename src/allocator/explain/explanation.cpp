#include "allocator/explain/explanation.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "allocator/explain/cures.h"
#include "allocator/explain/explanation_text.h"
#include "allocator/recordings/recorded_phases.h"
#include "allocator/simulator/rounding.h"

namespace headroom::allocator {
namespace {

constexpr std::size_t kTimelinePoints = 400;
/// Idle share of what is reserved above which a run that fits is called wasteful.
constexpr double kWasteful = 0.2;

/// The event after which the most bytes that were asked for live; 0 where there is none.
std::size_t highest_in_use(const Recording& recording) {
  std::vector<std::uint64_t> sizes(recording.allocations, 0);
  std::uint64_t in_use = 0, most = 0;
  std::size_t highest = 0;
  for (std::size_t i = 0; i < recording.events.size(); ++i) {
    const MemoryEvent& event = recording.events[i];
    if (event.kind == EventKind::allocate) {
      sizes[event.allocation] = event.bytes;
      in_use += event.bytes;
    } else if (event.kind == EventKind::free || event.kind == EventKind::request_free) {
      in_use -= sizes[event.allocation];
      sizes[event.allocation] = 0;
    }
    if (in_use > most) {
      most = in_use;
      highest = i;
    }
  }
  return highest;
}

class Explainer {
 public:
  Explainer(const Recording& recording, const ExplainMemoryRequest& request)
      : recording_(recording), setup_(simulation_setup(recording, request.settings, request.capacity_bytes)) {
    explained_.explanation.on_cpu = recording.is_of_cpu && !request.settings && !request.capacity_bytes;
    options_.settings = setup_.settings;
    options_.capacity = setup_.capacity;
  }

  ExplainedMemory run() {
    options_.stretch_ends = even_stretches(recording_.events.size(), kTimelinePoints);
    const ReplayResult result = replay(recording_, options_);
    describe_recording(result);
    if (has_no_history()) {
      describe_recorded_state();
    } else {
      choose_moment(result);
    }
    count_holders();
    judge(result);
    follow_phases();
    if (explained_.explanation.verdict != MemoryVerdict::sound && !has_no_history()) {
      explained_.explanation.cures = try_cures(recording_, options_, setup_.settings_text, result);
    }
    explained_.origins = recording_.origins;
    explained_.explanation.text = explanation_text(explained_.explanation);
    explained_.explanation.json = explanation_json(explained_.explanation);
    return std::move(explained_);
  }

 private:
  void describe_recording(const ReplayResult& result) {
    auto& explanation = explained_.explanation;
    explanation.source = recording_.source;
    explanation.format = recording_.format;
    explanation.settings = setup_.settings_text;
    explanation.events = recording_.events.size();
    explanation.allocations = recording_.allocations;
    explanation.notes = setup_.notes;
    if (setup_.capacity != DeviceMemory::kUnlimited) {
      explanation.capacity_bytes = setup_.capacity;
      const std::uint64_t allowed = allowed_bytes(setup_.settings, setup_.capacity);
      if (allowed < setup_.capacity) {
        explanation.allowed_bytes = allowed;
      }
    }
    explanation.peak_reserved_bytes = result.statistics.reserved.peak;
    if (recording_.recorded_reserve) {
      explanation.recorded_peak_reserved_bytes = recording_.recorded_reserve->peak_bytes;
    }
    for (const auto& point : result.timeline) {
      explanation.timeline.push_back(public_point(point));
    }
  }

  /// Where memory runs out; else where it really did, as far as the simulation goes; else the highest
  /// reserve.
  void choose_moment(const ReplayResult& result) {
    auto& explanation = explained_.explanation;
    if (result.run_out) {
      explanation.moment = public_run_out(recording_, *result.run_out);
      explained_.segments = picture_at(recording_, options_, result.run_out->event + 1);
      return;
    }
    std::size_t event = explanation.on_cpu ? highest_in_use(recording_) : result.peak_reserved_event;
    const auto recorded =
        std::find_if(recording_.events.begin(), recording_.events.end(),
                     [](const auto& candidate) { return candidate.kind == EventKind::out_of_memory; });
    if (recorded != recording_.events.end()) {
      event = static_cast<std::size_t>(recorded - recording_.events.begin());
      explanation.notes.push_back(
          explanation.on_cpu
              ? fmt::format("memory was refused at event {}: the command's memory budget was reached", event)
              : fmt::format(
                    "the recorded program ran out of memory at event {}; with these settings and this "
                    "card it does not",
                    event));
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
    moment.phase = recording_.events.empty() ? "" : who_asks(recording_, event);
    moment.requested_bytes = recording_.events.empty() ? 0 : recording_.events[event].bytes;
    moment.allocated_bytes = then.statistics.allocated.now;
    moment.reserved_bytes = then.statistics.reserved.now;
    moment.device_free_bytes =
        setup_.capacity == DeviceMemory::kUnlimited ? 0 : setup_.capacity - then.statistics.reserved.now;
    moment.stranded_bytes = then.idle.stranded;
    moment.largest_free_block_bytes = then.idle.largest;
    explained_.segments = picture_at(recording_, options_, until.stop_before);
  }

  /// A snapshot without a trace: segments as they were, and nothing that could be run again.
  bool has_no_history() const {
    return recording_.events.size() == recording_.residents && !recording_.recorded_segments.empty();
  }

  void describe_recorded_state() {
    auto& explanation = explained_.explanation;
    explanation.notes.emplace_back(
        "the snapshot holds no trace, so what came before is not known; call "
        "torch.cuda.memory._record_memory_history() first");
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
    moment.phase = "at the end";
    moment.stranded_bytes = idle.stranded;
    moment.largest_free_block_bytes = idle.largest;
  }

  void count_holders() {
    std::map<std::uint32_t, MemoryHolder> by_origin;
    for (const auto& segment : explained_.segments) {
      for (const auto& block : segment.blocks) {
        if (block.state != BlockState::free) {
          MemoryHolder& holder = by_origin[block.origin];
          holder.bytes += explained_.explanation.on_cpu ? block.requested : block.bytes;
          ++holder.blocks;
          explained_.explanation.requested_live_bytes += block.requested;
        }
      }
    }
    if (explained_.explanation.on_cpu) {
      explained_.explanation.moment.allocated_bytes = explained_.explanation.requested_live_bytes;
    }
    auto& holders = explained_.explanation.holders;
    for (auto& [origin, holder] : by_origin) {
      holder.origin = recording_.origins[origin];
      holders.push_back(std::move(holder));
    }
    std::stable_sort(holders.begin(), holders.end(), [](const MemoryHolder& left, const MemoryHolder& right) {
      return left.bytes > right.bytes;
    });
  }

  void judge(const ReplayResult& result) {
    auto& explanation = explained_.explanation;
    const auto& moment = explanation.moment;
    if (result.run_out) {
      const std::uint64_t needed =
          moment.allocated_bytes + round_request(moment.requested_bytes, setup_.settings);
      explanation.verdict = needed <= allowed_bytes(setup_.settings, setup_.capacity)
                                ? MemoryVerdict::fragmented
                                : MemoryVerdict::too_much;
      return;
    }
    if (explanation.on_cpu) {
      explanation.verdict = MemoryVerdict::sound;  // what is idle within a cache is idle in a GPU's alone
      return;
    }
    const auto idle =
        static_cast<double>(moment.reserved_bytes - std::min(moment.reserved_bytes, moment.allocated_bytes));
    explanation.verdict = idle > kWasteful * static_cast<double>(moment.reserved_bytes)
                              ? MemoryVerdict::wasteful
                              : MemoryVerdict::sound;
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

  const Recording& recording_;
  SimulationSetup setup_;
  ReplayOptions options_;
  ExplainedMemory explained_;
};

}  // namespace

ExplainedMemory explain(const Recording& recording, const ExplainMemoryRequest& request) {
  return Explainer(recording, request).run();
}

}  // namespace headroom::allocator
