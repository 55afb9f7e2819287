#include "base/memory/plan/run_cost.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/core/json/checked_json.h"
#include "base/core/json/json_reader.h"

namespace molgauge::memory {
namespace {

constexpr double kGibibyte = 1024.0 * 1024.0 * 1024.0;

struct Figure {
  const char* key;
  std::uint64_t PhaseReport::*value;
};

/// These figures are always written, because readers of a run rely on them.
constexpr Figure kPeaks[] = {{"peak_device_memory_bytes", &PhaseReport::peak_device_memory_bytes},
                             {"peak_host_memory_bytes", &PhaseReport::peak_host_memory_bytes},
                             {"peak_tensor_memory_bytes", &PhaseReport::peak_tensor_memory_bytes}};
/// These figures are left out of a phase if they are 0, which means that they were not measured.
constexpr Figure kOccasional[] = {{"planned_memory_bytes", &PhaseReport::planned_memory_bytes},
                                  {"refused_tensors", &PhaseReport::refused_tensors},
                                  {"peak_device_reserved_bytes", &PhaseReport::peak_device_reserved_bytes},
                                  {"peak_device_active_bytes", &PhaseReport::peak_device_active_bytes},
                                  {"device_retries", &PhaseReport::device_retries},
                                  {"device_refusals", &PhaseReport::device_refusals},
                                  {"device_free_bytes", &PhaseReport::device_free_bytes}};

}  // namespace

PhaseReport find_phase(const std::vector<PhaseReport>& phases, const std::string& name) {
  const auto found =
      std::ranges::find_if(phases, [&](const PhaseReport& report) { return report.phase == name; });
  return found == phases.end() ? PhaseReport() : *found;
}

double device_peak_in_gib(const std::vector<PhaseReport>& phases, const std::string& name) {
  return static_cast<double>(find_phase(phases, name).peak_device_memory_bytes) / kGibibyte;
}

void add_phases(nlohmann::ordered_json& fields, const std::vector<PhaseReport>& phases) {
  for (const PhaseReport& report : phases) {
    fields["phase_seconds"][report.phase] = report.seconds;
    for (const Figure& figure : kPeaks) {
      fields[figure.key][report.phase] = report.*figure.value;
    }
    for (const Figure& figure : kOccasional) {
      if (report.*figure.value > 0) {
        fields[figure.key][report.phase] = report.*figure.value;
      }
    }
  }
}

void add_cost(nlohmann::ordered_json& fields, const RunCost& cost) {
  fields["device"] = cost.device;
  if (cost.memory_budget_bytes > 0) {
    fields["memory_budget_bytes"] = cost.memory_budget_bytes;
  }
  if (cost.host_memory_budget_bytes > 0) {
    fields["host_memory_budget_bytes"] = cost.host_memory_budget_bytes;
  }
  add_phases(fields, cost.phases);
  for (const MemoryPlan& plan : cost.plans) {
    fields["memory_plans"].push_back(parse_json<nlohmann::ordered_json>(plan.json));
  }
  fields["batch_size_planned"] = cost.batch_size_planned;
  fields["batch_size_used"] = cost.batch_size_used;
  fields["oom_recoveries"] = cost.oom_recoveries;
}

RunCost read_cost(const nlohmann::ordered_json& fields) {
  RunCost cost;
  cost.device = fields.value("device", "");
  cost.memory_budget_bytes = checked_or(fields, "memory_budget_bytes", std::uint64_t{0});
  cost.host_memory_budget_bytes = checked_or(fields, "host_memory_budget_bytes", std::uint64_t{0});
  cost.batch_size_planned = checked_or(fields, "batch_size_planned", std::size_t{0});
  cost.batch_size_used = checked_or(fields, "batch_size_used", std::size_t{0});
  cost.oom_recoveries = checked_or(fields, "oom_recoveries", std::size_t{0});
  for (const auto& [phase, seconds] : fields.at("phase_seconds").items()) {
    PhaseReport report;
    report.phase = phase;
    report.seconds = seconds.get<double>();
    const auto read = [&](const Figure& figure) {
      if (fields.contains(figure.key)) {
        report.*figure.value = checked_or(fields.at(figure.key), report.phase, std::uint64_t{0});
      }
    };
    std::ranges::for_each(kPeaks, read);
    std::ranges::for_each(kOccasional, read);
    cost.phases.push_back(std::move(report));
  }
  return cost;
}

}  // namespace molgauge::memory
