#include "matrix/program_summaries.h"

#include <algorithm>
#include <map>

#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/json_text.h"
#include "experiment/method_kinds.h"
#include "matrix/python_summaries.h"
#include "matrix/sensitivity_tables.h"
#include "matrix/stale_files.h"
#include "matrix/summary.h"

namespace headroom::matrix {
namespace {

using nlohmann::json;

/// The end of the file name, after the name of a loss.
constexpr const char* kLossMetrics = "_metrics.json";

void write_cross_dataset(const std::filesystem::path& folder, const experiment::Spec& spec,
                         const std::vector<CellOutcome>& outcomes) {
  json whole = json::object();
  for (const auto& summary : summarize(outcomes)) {
    const auto benchmark = std::find_if(
        spec.benchmarks.begin(), spec.benchmarks.end(),
        [&](const experiment::BenchmarkSpec& candidate) { return candidate.name == summary.benchmark; });
    const auto file = folder / "runs" / summary.encoder / summary.benchmark / summary.variant /
                      "cross_dataset_metrics.json";
    if (benchmark != spec.benchmarks.end() && !benchmark->test.empty()) {
      const json metrics = dataset_metrics(summary);
      replace_file(file, json_text(metrics));
      whole[summary.benchmark][summary.encoder][summary.variant] = metrics;
    } else {
      std::filesystem::remove(file);
    }
  }
  write_or_remove(folder / "cross_dataset_summary.json", whole.empty() ? "" : json_text(whole));
}

/// Removes files of losses that an earlier specification had, or that only one variant had then.
void remove_losses(const std::filesystem::path& setting) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(setting)) {
    if (entry.is_regular_file() && entry.path().filename().string().ends_with(kLossMetrics)) {
      found.push_back(entry.path());
    }
  }
  for (const auto& file : found) {
    std::filesystem::remove(file);
  }
}

/// Writes the files of losses; a loss that several variants share gets none.
void write_losses(const std::filesystem::path& folder, const std::vector<CellOutcome>& outcomes) {
  std::map<std::filesystem::path, std::map<std::string, std::map<std::string, std::vector<CellOutcome>>>>
      by_setting;  // folder of the benchmark's runs, loss, variant
  for (const auto& outcome : outcomes) {
    const auto loss_of = experiment::method_kind(outcome.cell.kind).loss;
    if (loss_of != nullptr) {
      const auto setting = folder / "runs" / outcome.cell.encoder / outcome.cell.benchmark;
      by_setting[setting][loss_of(outcome.cell.options)][outcome.cell.variant()].push_back(outcome);
    }
  }
  for (const auto& [setting, losses] : by_setting) {
    remove_losses(setting);
    for (const auto& [loss, variants] : losses) {
      if (losses.size() > 1 && variants.size() == 1) {
        const json metrics = ablation_metrics(variants.begin()->second);
        replace_file(setting / (loss + kLossMetrics), json_text(metrics));
      }
    }
  }
}

}  // namespace

void write_program_summaries(const std::filesystem::path& folder, const experiment::Spec& spec,
                             const std::vector<CellOutcome>& outcomes) {
  write_cross_dataset(folder, spec, outcomes);
  write_losses(folder, outcomes);
  write_sensitivity_tables(folder, outcomes);
}

}  // namespace headroom::matrix
