#include "memgauge/explain/simulation.h"

#include <algorithm>

#include "base/core/session/cancellation.h"
#include "memgauge/explain/agreement.h"
#include "memgauge/explain/explanation.h"
#include "memgauge/explain/explanation_text.h"
#include "memgauge/recordings/replay.h"

namespace molgauge::allocator {
namespace {

constexpr std::size_t kSimulatedPoints = 400;

SimulatedMemory run_under(const Recording& recording, const SimulationSetup& setup) {
  ReplayOptions options;
  options.settings = setup.settings;
  options.capacity = setup.capacity;
  options.card = setup.card;
  options.stretch_ends = even_stretches(recording.events.size(), kSimulatedPoints);
  const ReplayResult result = replay(recording, options);
  SimulatedMemory simulated;
  simulated.settings = setup.settings_text;
  simulated.fits = !result.run_out.has_value();
  if (result.run_out) {
    simulated.run_out = public_run_out(recording, *result.run_out);
  }
  simulated.peak_reserved_bytes = result.statistics.reserved.peak;
  simulated.peak_allocated_bytes = result.statistics.allocated.peak;
  simulated.peak_active_bytes = result.statistics.active.peak;
  simulated.retries = result.statistics.retries;
  simulated.device_allocations = result.statistics.device_allocations;
  simulated.settings_without_effect = setup.settings.without_effect;
  simulated.timeline = public_points(result.timeline);
  return simulated;
}

}  // namespace

SimulateMemoryReport simulate(const Recording& recording, const SimulateMemoryRequest& request) {
  SimulateMemoryReport report;
  report.source = recording.source;
  report.device = recording.device;
  report.format = recording.format;
  report.begins_in_the_middle = recording.residents > 0 || !recording.start_segments.empty();
  report.events = recording.events.size();
  report.allocations = recording.allocations;
  std::vector<std::optional<std::string>> settings(request.settings.begin(), request.settings.end());
  if (settings.empty()) {
    settings.emplace_back();  // one simulation with the recorded settings
  }
  for (const auto& text : settings) {
    throw_if_cancelled();
    const SimulationSetup setup = simulation_setup(recording, text, request.capacity_bytes);
    for (const auto& note : setup.notes) {
      if (std::find(report.notes.begin(), report.notes.end(), note) == report.notes.end()) {
        report.notes.push_back(note);
      }
    }
    if (setup.capacity != DeviceMemory::kUnlimited) {
      report.capacity_bytes = setup.capacity;
    }
    report.runs.push_back(run_under(recording, setup));
  }
  if (recording.recorded_reserve && recording.has_history()) {
    const SimulationSetup setup = simulation_setup(recording, std::nullopt, std::nullopt);
    ReplayOptions options;
    options.settings = setup.settings;
    options.capacity = setup.capacity;
    report.agreement = agreement_with(recording, options);
  }
  report.json = simulation_json(report);
  return report;
}

}  // namespace molgauge::allocator
