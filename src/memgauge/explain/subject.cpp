#include "memgauge/explain/subject.h"

#include <algorithm>
#include <string>

#include "memgauge/explain/holders.h"
#include "memgauge/explain/setting_candidates.h"

namespace molgauge::allocator {
namespace {

constexpr std::size_t kTimelinePoints = 400;

/// The sum of the bytes that the program requests after an event.
std::uint64_t asked_after(const Recording& recording, std::size_t event) {
  std::uint64_t bytes = 0;
  for (std::size_t i = event + 1; i < recording.events.size(); ++i) {
    bytes += recording.events[i].kind == EventKind::allocate ? recording.events[i].bytes : 0;
  }
  return bytes;
}

std::vector<MemoryOfDevice> devices_of(const Subject& subject) {
  std::vector<MemoryOfDevice> devices;
  std::vector<std::string> seen;
  for (const Recording& recording : subject.all) {
    if (std::find(seen.begin(), seen.end(), recording.source) != seen.end()) {
      continue;
    }
    seen.push_back(recording.source);
    for (const auto& device : recording.devices) {
      devices.push_back(
          {recording.source, device.device, device.events, device.out_of_memory, device.reserved_bytes,
           device.in_use_bytes, device.peak_reserved_bytes,
           recording.source == subject.recording.source && device.device == subject.recording.device});
    }
  }
  return devices;
}

}  // namespace

Subject::Subject(const std::vector<Recording>& recordings, std::size_t index,
                 const ExplainMemoryRequest& asked)
    : all(recordings),
      recording(recordings[index]),
      request(asked),
      setup(simulation_setup(recording, asked.settings, asked.capacity_bytes)),
      lifetimes(lifetimes_of(recording)) {
  options.settings = setup.settings;
  options.capacity = setup.capacity;
  options.card = setup.card;
  options.stretch_ends = even_stretches(recording.events.size(), kTimelinePoints);
}

std::optional<std::size_t> Subject::recorded_failure() const {
  const auto failed =
      std::find_if(recording.events.begin(), recording.events.end(),
                   [](const MemoryEvent& event) { return event.kind == EventKind::out_of_memory; });
  return failed == recording.events.end()
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(failed - recording.events.begin()));
}

std::optional<std::size_t> Subject::end_of_work() const {
  const auto failure = recorded_failure();
  const bool is_the_end = failure && asked_after(recording, *failure) < recording.events[*failure].bytes;
  return is_the_end ? failure : std::nullopt;
}

std::uint64_t Subject::allowed() const {
  return std::min(setup.capacity, allowed_bytes(setup.settings, setup.card.value_or(setup.capacity)));
}

bool Subject::shows_segments_alone() const {
  return !recording.has_history() && !recording.recorded_segments.empty();
}

bool Subject::is_on_cpu() const {
  return recording.is_of_cpu && !request.settings && !request.capacity_bytes;
}

MemoryExplanation facts_of(const Subject& subject) {
  const Recording& recording = subject.recording;
  const SimulationSetup& setup = subject.setup;
  MemoryExplanation facts;
  facts.on_cpu = subject.is_on_cpu();
  facts.source = recording.source;
  facts.format = recording.format;
  facts.device = recording.device;
  facts.devices = devices_of(subject);
  facts.settings = setup.settings_text;
  facts.events = recording.events.size();
  facts.residents = recording.residents;
  facts.reserved_before_bytes = recording.recorded_reserve ? recording.recorded_reserve->bytes_at_start : 0;
  facts.allocations = recording.allocations;
  facts.notes = setup.notes;
  if (const std::string left_out = settings_left_out(recording); !left_out.empty()) {
    facts.notes.push_back(left_out);
  }
  facts.retries = recording.recorded_retries;
  facts.empty_cache_calls = recording.recorded_empty_cache;
  facts.pools = recorded_pools(recording);
  facts.ends_with_failure = !subject.shows_segments_alone() && subject.end_of_work().has_value();
  if (setup.capacity != DeviceMemory::kUnlimited) {
    const bool has_allowance = recording.allowance && !subject.request.capacity_bytes;
    facts.capacity_bytes = has_allowance ? *recording.capacity : setup.capacity;
    facts.capacity_is_inferred = recording.least_capacity && !subject.request.capacity_bytes;
    facts.allowed_is_inferred = has_allowance;
    if (subject.allowed() < *facts.capacity_bytes) {
      facts.allowed_bytes = subject.allowed();
    }
  }
  return facts;
}

std::vector<MemoryTimelinePoint> live_points(const Subject& subject, const std::vector<std::size_t>& ends) {
  std::vector<MemoryTimelinePoint> points;
  for (const LivePeak& peak : live_peaks(subject.recording, subject.lifetimes, ends)) {
    points.push_back(
        {.event = ends[points.size()], .reserved_bytes = peak.bytes, .allocated_bytes = peak.bytes});
  }
  return points;
}

}  // namespace molgauge::allocator
