#include "memgauge/explain/moment.h"

#include <algorithm>

#include <fmt/format.h>

#include "memgauge/explain/agreement.h"
#include "memgauge/recordings/recorded_phases.h"
#include "memgauge/simulator/rounding.h"

namespace molgauge::allocator {
namespace {

std::uint64_t allocated_in(const std::vector<SegmentPicture>& segments) {
  std::uint64_t bytes = 0;
  for (const SegmentPicture& segment : segments) {
    for (const auto& block : segment.blocks) {
      bytes += block.state == BlockState::allocated ? block.bytes : 0;
    }
  }
  return bytes;
}

/// The request at an event, without figures of the allocator.
MemoryRunOut request_at(const Recording& recording, std::size_t event) {
  MemoryRunOut moment;
  moment.event = event;
  if (!recording.events.empty()) {
    moment.phase = requesting_stack(recording, event);
    moment.origin = stack_that_asks(recording, event);
    moment.requested_bytes = recording.events[event].bytes;
  }
  return moment;
}

/// Shows the live blocks as one segment, because their addresses are unknown. `size_of`: the bytes that a
/// request takes.
template <typename SizeOf>
SegmentPicture live_blocks(const Subject& subject, std::size_t event, SizeOf size_of) {
  SegmentPicture picture;
  for (const auto& lifetime : subject.lifetimes) {
    if (lifetime.lives_after(event)) {
      const std::uint64_t bytes = size_of(lifetime.bytes);
      picture.blocks.push_back({0, bytes, lifetime.bytes, BlockState::allocated, lifetime.origin, 0});
      picture.reserved += bytes;
    }
  }
  return picture;
}

ExplainedMoment recorded_failure(const Subject& subject, const RecordedFailure& failure) {
  ExplainedMoment explained{.moment = request_at(subject.recording, failure.event),
                            .segments = failure.segments,
                            .is_recorded = true,
                            .failed_in_fact = true};
  MemoryRunOut& moment = explained.moment;
  moment.reserved_bytes = failure.reserved;
  moment.device_free_bytes = failure.device_free;
  if (explained.segments.empty()) {
    explained.segments.push_back(live_blocks(subject, failure.event, [&](std::uint64_t bytes) {
      return round_request(bytes, subject.setup.settings);
    }));
    explained.notes.emplace_back(
        "the simulation deviates from the recording and the segments at the failure are not known. Only "
        "sums are shown, because free memory may be one piece or many");
  } else {
    const IdleMemory idle = idle_memory(explained.segments);
    moment.stranded_bytes = idle.stranded;
    moment.largest_free_block_bytes = idle.largest;
    explained.notes.emplace_back(
        "the simulation deviates from the recording, so the recorded state is explained");
  }
  moment.allocated_bytes = allocated_in(explained.segments);
  return explained;
}

/// The state of the simulation after an event.
ExplainedMoment simulated_state(const Subject& subject, std::size_t event) {
  ReplayOptions until = subject.options;
  until.stop_before = std::min(event + 1, subject.recording.events.size());
  until.stretch_ends.clear();
  const ReplayResult then = replay(subject.recording, until);
  const std::uint64_t capacity = subject.setup.capacity, reserved = then.statistics.reserved.now;
  ExplainedMoment explained{.moment = request_at(subject.recording, event),
                            .segments = picture_at(subject.recording, subject.options, until.stop_before)};
  MemoryRunOut& moment = explained.moment;
  moment.allocated_bytes = then.statistics.allocated.now;
  moment.reserved_bytes = reserved;
  moment.device_free_bytes =
      capacity == DeviceMemory::kUnlimited ? 0 : capacity - std::min(capacity, reserved);
  moment.stranded_bytes = then.idle.stranded;
  moment.largest_free_block_bytes = then.idle.largest;
  return explained;
}

}  // namespace

ExplainedMoment simulated_moment(const Subject& subject, const ReplayResult& result, bool reproduces) {
  const Recording& recording = subject.recording;
  const auto failure = subject.recorded_failure();
  if (failure && recording.failure && subject.setup.as_recorded && !reproduces) {
    return recorded_failure(subject, *recording.failure);
  }
  if (result.run_out && (!failure || result.run_out->event <= *failure)) {
    return {.moment = public_run_out(recording, *result.run_out),
            .segments = picture_at(recording, subject.options, result.run_out->event + 1)};
  }
  ExplainedMoment explained = simulated_state(subject, failure.value_or(result.peak_allocated_event));
  if (failure && !subject.setup.as_recorded) {
    explained.notes.push_back(
        fmt::format("the recorded program ran out of memory at event {}, but the simulation with these "
                    "settings and this card does not",
                    *failure));
  } else if (failure) {
    explained.failed_in_fact = true;
    explained.notes.push_back(missing_failure(*failure));
  }
  return explained;
}

ExplainedMoment recorded_state(const Subject& subject) {
  const Recording& recording = subject.recording;
  ExplainedMoment explained{.segments = recording.recorded_segments};
  explained.notes.push_back(
      fmt::format("the snapshot {}, so it shows one moment only. Call "
                  "torch.cuda.memory._record_memory_history() before the work to record the events",
                  recording.events.size() == recording.residents ? "has no trace" : "has one event"));
  const IdleMemory idle = idle_memory(explained.segments);
  MemoryRunOut& moment = explained.moment;
  moment.event = recording.events.size();
  for (const auto& segment : explained.segments) {
    moment.reserved_bytes += segment.reserved;
  }
  moment.allocated_bytes = allocated_in(explained.segments);
  moment.stranded_bytes = idle.stranded;
  moment.largest_free_block_bytes = idle.largest;
  return explained;
}

ExplainedMoment live_moment(const Subject& subject) {
  const auto failure = subject.recorded_failure();
  const std::size_t event = failure.value_or(live_peak(subject.recording, subject.lifetimes).event);
  ExplainedMoment explained{.moment = request_at(subject.recording, event)};
  if (failure) {
    explained.notes.push_back(
        fmt::format("memory was refused at event {}: the command's memory budget was reached", event));
  }
  explained.segments.push_back(live_blocks(subject, event, [](std::uint64_t bytes) { return bytes; }));
  explained.moment.allocated_bytes = explained.moment.reserved_bytes = explained.segments.front().reserved;
  return explained;
}

}  // namespace molgauge::allocator
