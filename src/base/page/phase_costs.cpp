#include "base/page/phase_costs.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/text/bytes.h"
#include "base/page/chart.h"

namespace molgauge::page {
namespace {

using nlohmann::ordered_json;

constexpr const char* kNothing = "\u2013";

std::uint64_t bytes_of(const ordered_json& object, const char* field, const std::string& phase) {
  const auto found = object.find(field);
  const bool known = found != object.end() && found->is_object() && found->contains(phase) &&
                     (*found)[phase].is_number_unsigned();
  return known ? (*found)[phase].get<std::uint64_t>() : 0;
}

std::string memory_text(std::uint64_t bytes) { return bytes > 0 ? format_bytes(bytes) : kNothing; }

Figure memory_figure(const std::vector<PhaseCost>& costs) {
  std::vector<BarRow> rows;
  for (const PhaseCost& cost : costs) {
    if (cost.host_bytes == 0) {  // a step within a phase has only tensor memory
      if (cost.tensor_bytes > 0) {
        rows.push_back({cost.command + ": " + cost.phase + ", tensors", memory_text(cost.tensor_bytes),
                        static_cast<double>(cost.tensor_bytes), 1});
      }
      continue;
    }
    if (cost.planned_bytes > 0) {
      rows.push_back({cost.command + ": " + cost.phase + ", planned", memory_text(cost.planned_bytes),
                      static_cast<double>(cost.planned_bytes), 2});
    }
    rows.push_back({cost.command + ": " + cost.phase + ", host", memory_text(cost.host_bytes),
                    static_cast<double>(cost.host_bytes), 0});
    if (cost.device_bytes > 0) {
      rows.push_back({cost.command + ": " + cost.phase + ", device", memory_text(cost.device_bytes),
                      static_cast<double>(cost.device_bytes), 1});
    }
  }
  return {"Peak memory of each phase",
          draw_bars("Peak memory of each phase", rows),
          "Peak resident memory of the process during the phase, next to the plan. On a GPU, also the memory "
          "allocated there.",
          {}};
}

}  // namespace

void append_phases(std::vector<PhaseCost>& costs, const char* command, const ordered_json& stats) {
  const auto seconds = stats.find("phase_seconds");
  if (seconds == stats.end() || !seconds->is_object()) {
    return;
  }
  const auto budget = stats.find("memory_budget_bytes");
  const bool has_budget = budget != stats.end() && budget->is_number_unsigned();
  for (const auto& [phase, value] : seconds->items()) {
    if (value.is_number()) {
      costs.push_back({command, phase, value.get<double>(), bytes_of(stats, "peak_host_memory_bytes", phase),
                       bytes_of(stats, "peak_device_memory_bytes", phase),
                       bytes_of(stats, "planned_memory_bytes", phase),
                       has_budget ? budget->get<std::uint64_t>() : 0});
    }
  }
}

void add_costs(Page& page, const std::vector<PhaseCost>& costs) {
  if (costs.empty()) {
    return;
  }
  page.figures({memory_figure(costs)});
  Table table{"Phases",
              {{"phase"},
               {"command"},
               {"time, s", true},
               {"budget", true},
               {"planned", true},
               {"host memory", true},
               {"device memory", true}},
              {}};
  const bool has_tensors =
      std::ranges::any_of(costs, [](const PhaseCost& cost) { return cost.tensor_bytes > 0; });
  if (has_tensors) {
    table.columns.push_back({"tensors", true});
  }
  for (const PhaseCost& cost : costs) {
    table.rows.push_back({{cost.phase},
                          {cost.command},
                          {fmt::format("{:.2f}", cost.seconds)},
                          {memory_text(cost.budget_bytes)},
                          {memory_text(cost.planned_bytes)},
                          {memory_text(cost.host_bytes)},
                          {memory_text(cost.device_bytes)}});
    if (has_tensors) {
      table.rows.back().push_back({memory_text(cost.tensor_bytes)});
    }
  }
  page.table(table);
}

void add_phase_costs(Page& page, const char* command, const ordered_json& stats) {
  std::vector<PhaseCost> costs;
  append_phases(costs, command, stats);
  for (PhaseCost& cost : costs) {
    cost.tensor_bytes = bytes_of(stats, "peak_tensor_memory_bytes", cost.phase);
  }
  add_costs(page, costs);
}

}  // namespace molgauge::page
