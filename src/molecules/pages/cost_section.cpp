#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/text/bytes.h"
#include "base/page/phase_costs.h"
#include "molecules/pages/sections.h"

namespace molgauge::report {
namespace {

using nlohmann::ordered_json;

constexpr const char* kNothing = "\u2013";

std::string count_text(const ordered_json& stats, const char* field) {
  const auto found = stats.find(field);
  return found != stats.end() && found->is_number_unsigned() ? std::to_string(found->get<std::uint64_t>())
                                                             : kNothing;
}

void add_run(page::Page& page, RunFiles& files, const matrix::Cell& cell) {
  const ordered_json training = files.json(cell, "training_stats.json");
  std::vector<page::PhaseCost> costs;
  append_phases(costs, "train", training);
  append_phases(costs, "evaluate", files.json(cell, "test_metrics.json"));
  add_costs(page, costs);
  page.paragraph(fmt::format("Batch size planned: {}, used: {}, recoveries from running out of memory: {}.",
                             count_text(training, "batch_size_planned"),
                             count_text(training, "batch_size_used"),
                             count_text(training, "oom_recoveries")));
}

void add_baselines(page::Page& page, RunFiles& files, const matrix::Cell& cell) {
  std::vector<page::PhaseCost> costs;
  const ordered_json training = files.json(cell, "training_stats.json");
  append_phases(costs, "baseline", training);
  add_costs(page, costs);
  page.paragraph(
      fmt::format("Recoveries from running out of memory: {}.", count_text(training, "oom_recoveries")));
}

void add_matrix(page::Page& page, RunFiles& files) {
  const ordered_json stats = files.matrix_stats();
  std::vector<page::PhaseCost> costs;
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
                            {sums.peak_host_bytes > 0 ? format_bytes(sums.peak_host_bytes) : kNothing}});
    }
  }
  return table;
}

}  // namespace

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
