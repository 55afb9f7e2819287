#include "experiment/python_summaries.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "experiment/summary.h"

namespace headroom::experiment {
namespace {

using nlohmann::json;

json mean_and_deviation(const Estimate& estimate) {
  return {{"mean", estimate.mean}, {"std", estimate.standard_deviation}};
}

json dataset_metrics(const VariantSummary& summary) {
  return {{"metrics",
           {{"auroc", mean_and_deviation(summary.auroc)},
            {"aupr", mean_and_deviation(summary.aupr)},
            {"fpr95", mean_and_deviation(summary.fpr95)}}},
          {"num_seeds", summary.auroc.count}};
}

/// The ablation program's form: population deviation, extremes and the runs themselves.
json ablation_metric(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double value : values) {
    sum += value;
  }
  const auto count = static_cast<double>(values.size());
  const double mean = sum / count;
  for (const double value : values) {
    squares += (value - mean) * (value - mean);
  }
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  return {{"mean", mean},
          {"std", std::sqrt(squares / count)},
          {"min", *lowest},
          {"max", *highest},
          {"runs", values}};
}

json ablation_summary(const std::vector<CellOutcome>& outcomes) {
  struct Runs {
    std::vector<double> auroc, aupr, fpr95;
  };
  std::map<std::string, Runs> runs;  // by benchmark, encoder, variant
  for (const auto& [cell, ended, found] : outcomes) {
    if (ended.result) {
      Runs& own = runs[cell.benchmark + "/" + cell.encoder + "/" + cell.variant()];
      own.auroc.push_back(ended.result->auroc);
      own.aupr.push_back(ended.result->aupr);
      own.fpr95.push_back(ended.result->fpr95);
    }
  }
  json summary = json::object();
  for (const auto& [name, own] : runs) {
    summary[name] = {{"auroc", ablation_metric(own.auroc)},
                     {"aupr", ablation_metric(own.aupr)},
                     {"fpr95", ablation_metric(own.fpr95)}};
  }
  return summary;
}

}  // namespace

void write_python_summaries(const std::filesystem::path& folder, const std::vector<CellOutcome>& outcomes) {
  std::map<std::string, json> of_encoder;
  for (const auto& summary : summarize(outcomes)) {
    const json metrics = dataset_metrics(summary);
    const auto variant = folder / "runs" / summary.encoder / summary.benchmark / summary.variant;
    replace_file(variant / "dataset_metrics.json", metrics.dump(2) + "\n");
    of_encoder[summary.encoder][summary.benchmark][summary.variant] = metrics;
  }
  for (const auto& [encoder, results] : of_encoder) {
    replace_file(folder / (encoder + "_experiment_results.json"), results.dump(2) + "\n");
  }
  replace_file(folder / "ablation_summary.json", ablation_summary(outcomes).dump(2) + "\n");
}

}  // namespace headroom::experiment
