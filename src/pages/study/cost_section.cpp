#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/bytes.h"
#include "pages/study/phase_costs.h"
#include "pages/study/sections.h"
#include "pages/toolkit/chart.h"

namespace molgauge::report {
namespace {

using nlohmann::ordered_json;

constexpr const char* kNothing = "\u2013";

/// The measured costs of a phase ("encoding", "train", "eval") of a command.
struct PhaseCost {
  std::string command, phase;
  double seconds = 0;
  std::uint64_t host_bytes = 0, device_bytes = 0;
  std::uint64_t planned_bytes = 0, budget_bytes = 0;  ///< 0 if not planned or unknown
  std::uint64_t tensor_bytes = 0;                     ///< 0 if the page does not show it
};

std::uint64_t bytes_of(const ordered_json& object, const char* field, const std::string& phase) {
  const auto found = object.find(field);
  const bool known = found != object.end() && found->is_object() && found->contains(phase) &&
                     (*found)[phase].is_number_unsigned();
  return known ? (*found)[phase].get<std::uint64_t>() : 0;
}

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

std::string count_text(const ordered_json& stats, const char* field) {
  const auto found = stats.find(field);
  return found != stats.end() && found->is_number_unsigned() ? std::to_string(found->get<std::uint64_t>())
                                                             : kNothing;
}

std::string memory_text(std::uint64_t bytes) { return bytes > 0 ? format_bytes(bytes) : kNothing; }

page::Figure memory_figure(const std::vector<PhaseCost>& costs) {
  std::vector<page::BarRow> rows;
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
          page::draw_bars("Peak memory of each phase", rows),
          "Peak resident memory of the process during the phase, next to the plan. On a GPU, also the memory "
          "allocated there.",
          {}};
}

/// Adds the costs of each phase. Adds nothing if no costs are known.
void add_costs(page::Page& page, const std::vector<PhaseCost>& costs) {
  if (costs.empty()) {
    return;
  }
  page.figures({memory_figure(costs)});
  page::Table table{"Phases",
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

void add_run(page::Page& page, RunFiles& files, const matrix::Cell& cell) {
  const ordered_json training = files.json(cell, "training_stats.json");
  std::vector<PhaseCost> costs;
  append_phases(costs, "train", training);
  append_phases(costs, "evaluate", files.json(cell, "test_metrics.json"));
  add_costs(page, costs);
  page.paragraph(fmt::format("Batch size planned: {}, used: {}, recoveries from running out of memory: {}.",
                             count_text(training, "batch_size_planned"),
                             count_text(training, "batch_size_used"),
                             count_text(training, "oom_recoveries")));
}

void add_baselines(page::Page& page, RunFiles& files, const matrix::Cell& cell) {
  std::vector<PhaseCost> costs;
  const ordered_json training = files.json(cell, "training_stats.json");
  append_phases(costs, "baseline", training);
  add_costs(page, costs);
  page.paragraph(
      fmt::format("Recoveries from running out of memory: {}.", count_text(training, "oom_recoveries")));
}

void add_matrix(page::Page& page, RunFiles& files) {
  const ordered_json stats = files.matrix_stats();
  std::vector<PhaseCost> costs;
  append_phases(costs, "experiment", stats);
  add_costs(page, costs);
  if (!costs.empty()) {
    page.paragraph(fmt::format("Runs computed by the last call: {}, in parallel: {}.",
                               count_text(stats, "runs_computed"), count_text(stats, "jobs")));
  }
}

struct CostSums {
  std::size_t runs = 0;
  double train_seconds = 0, eval_seconds = 0, epochs = 0, molecules = 0;
  std::uint64_t peak_host_bytes = 0;
};

CostSums sums_of(const Study& study, const ComparedMethod& contender) {
  CostSums sums;
  for (const auto& [cell, ended, found] : study.outcomes) {
    if (ended.result && cell.benchmark == contender.summary.benchmark &&
        cell.encoder == contender.summary.encoder && cell.variant() == contender.summary.variant) {
      ++sums.runs;
      sums.train_seconds += ended.result->train_seconds;
      sums.eval_seconds += ended.result->eval_seconds;
      sums.epochs += static_cast<double>(ended.result->epochs_run);
      sums.molecules += static_cast<double>(ended.result->id_count + ended.result->ood_count);
      sums.peak_host_bytes = std::max(sums.peak_host_bytes, ended.result->peak_host_memory_bytes);
    }
  }
  return sums;
}

std::string quotient(double value, double by, int decimals) {
  return by > 0 && std::isfinite(value / by) ? fmt::format("{:.{}f}", value / by, decimals) : kNothing;
}

page::Table throughput_table(const Study& study, const std::vector<Setting>& settings) {
  page::Table table{"Time and throughput, means over the runs",
                    {{"benchmark"},
                     {"encoder"},
                     {"method"},
                     {"training, s", true},
                     {"epochs", true},
                     {"s per epoch", true},
                     {"scored molecules per s", true},
                     {"peak memory", true}},
                    {}};
  for (const Setting& setting : settings) {
    for (const ComparedMethod& contender : setting.contenders) {
      const CostSums sums = sums_of(study, contender);
      if (sums.runs == 0) {
        continue;
      }
      const auto runs = static_cast<double>(sums.runs);
      table.rows.push_back({{setting.benchmark},
                            {setting.encoder},
                            {display_name(contender.summary.variant)},
                            {quotient(sums.train_seconds, runs, 2)},
                            {quotient(sums.epochs, runs, 1)},
                            {quotient(sums.train_seconds, sums.epochs, 4)},
                            {quotient(sums.molecules, sums.eval_seconds, 0)},
                            {memory_text(sums.peak_host_bytes)}});
    }
  }
  return table;
}

}  // namespace

void add_phase_costs(page::Page& page, const char* command, const ordered_json& stats) {
  std::vector<PhaseCost> costs;
  append_phases(costs, command, stats);
  for (PhaseCost& cost : costs) {
    cost.tensor_bytes = bytes_of(stats, "peak_tensor_memory_bytes", cost.phase);
  }
  add_costs(page, costs);
}

void add_cost(page::Page& page, RunFiles& files, const Study& study, const std::vector<Setting>& settings) {
  page.section("Memory and time");
  switch (study.kind) {
    case StudyKind::matrix:
      add_matrix(page, files);
      break;
    case StudyKind::run:
      add_run(page, files, study.outcomes.front().cell);
      break;
    case StudyKind::baselines:
      add_baselines(page, files, study.outcomes.front().cell);
      break;
  }
  page.table(throughput_table(study, settings));
  if (study.kind == StudyKind::matrix) {
    page.paragraph(
        "Runs of a matrix share a process and its threads. Times are times of parallel runs, and peak memory "
        "is the peak of the process. The times do not include the encoding of features.");
  }
}

}  // namespace molgauge::report
