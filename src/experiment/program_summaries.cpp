#include "experiment/program_summaries.h"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "experiment/python_summaries.h"
#include "experiment/sensitivity_tables.h"
#include "experiment/summary.h"

namespace headroom::experiment {
namespace {

using nlohmann::json;

void write_cross_dataset(const std::filesystem::path& folder, const Spec& spec,
                         const std::vector<CellOutcome>& outcomes) {
  json whole = json::object();
  for (const auto& summary : summarize(outcomes)) {
    const auto benchmark =
        std::find_if(spec.benchmarks.begin(), spec.benchmarks.end(),
                     [&](const BenchmarkSpec& candidate) { return candidate.name == summary.benchmark; });
    if (benchmark != spec.benchmarks.end() && !benchmark->test.empty()) {
      const json metrics = dataset_metrics(summary);
      replace_file(folder / "runs" / summary.encoder / summary.benchmark / summary.variant /
                       "cross_dataset_metrics.json",
                   metrics.dump(2) + "\n");
      whole[summary.benchmark][summary.encoder][summary.variant] = metrics;
    }
  }
  if (!whole.empty()) {
    replace_file(folder / "cross_dataset_summary.json", whole.dump(2) + "\n");
  }
}

std::string loss_of(const Cell& cell) {
  const auto loss = cell.options.find("loss");
  return loss == cell.options.end() ? "dpo" : to_text(loss->second);
}

/// A loss that several variants share names none of them.
void write_losses(const std::filesystem::path& folder, const std::vector<CellOutcome>& outcomes) {
  std::map<std::filesystem::path, std::map<std::string, std::map<std::string, std::vector<CellOutcome>>>>
      by_setting;  // folder of the benchmark's runs, loss, variant
  for (const auto& outcome : outcomes) {
    if (outcome.cell.kind == "energy-head") {
      const auto setting = folder / "runs" / outcome.cell.encoder / outcome.cell.benchmark;
      by_setting[setting][loss_of(outcome.cell)][outcome.cell.variant()].push_back(outcome);
    }
  }
  for (const auto& [setting, losses] : by_setting) {
    for (const auto& [loss, variants] : losses) {
      if (losses.size() > 1 && variants.size() == 1) {
        const json metrics = ablation_metrics(variants.begin()->second);
        replace_file(setting / (loss + "_metrics.json"), metrics.dump(2) + "\n");
      }
    }
  }
}

}  // namespace

void write_program_summaries(const std::filesystem::path& folder, const Spec& spec,
                             const std::vector<CellOutcome>& outcomes) {
  write_cross_dataset(folder, spec, outcomes);
  write_losses(folder, outcomes);
  write_sensitivity_tables(folder, outcomes);
}

}  // namespace headroom::experiment
