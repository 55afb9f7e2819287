#include "matrix/python_summaries.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/json_text.h"

namespace headroom::matrix {
namespace {

using nlohmann::json;

json mean_and_deviation(const Estimate& estimate) {
  return {{"mean", estimate.mean}, {"std", estimate.standard_deviation}};
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
  std::map<std::string, std::vector<CellOutcome>> runs;  // by benchmark, encoder, variant
  for (const auto& outcome : outcomes) {
    if (outcome.ended.result) {
      const Cell& cell = outcome.cell;
      runs[cell.benchmark + "/" + cell.encoder + "/" + cell.variant()].push_back(outcome);
    }
  }
  json summary = json::object();
  for (const auto& [name, own] : runs) {
    summary[name] = ablation_metrics(own);
  }
  return summary;
}

}  // namespace

json dataset_metrics(const VariantSummary& summary) {
  return {{"metrics",
           {{"auroc", mean_and_deviation(summary.auroc)},
            {"aupr", mean_and_deviation(summary.aupr)},
            {"fpr95", mean_and_deviation(summary.fpr95)}}},
          {"num_seeds", summary.auroc.count}};
}

json ablation_metrics(const std::vector<CellOutcome>& runs) {
  std::vector<double> auroc, aupr, fpr95;
  for (const auto& run : runs) {
    if (run.ended.result) {
      auroc.push_back(run.ended.result->auroc);
      aupr.push_back(run.ended.result->aupr);
      fpr95.push_back(run.ended.result->fpr95);
    }
  }
  if (auroc.empty()) {
    return json::object();
  }
  return {
      {"auroc", ablation_metric(auroc)}, {"aupr", ablation_metric(aupr)}, {"fpr95", ablation_metric(fpr95)}};
}

void write_python_summaries(const std::filesystem::path& folder, const std::vector<CellOutcome>& outcomes) {
  std::map<std::string, json> of_encoder;
  for (const auto& summary : summarize(outcomes)) {
    const json metrics = dataset_metrics(summary);
    const auto variant = folder / "runs" / summary.encoder / summary.benchmark / summary.variant;
    replace_file(variant / "dataset_metrics.json", json_text(metrics));
    of_encoder[summary.encoder][summary.benchmark][summary.variant] = metrics;
  }
  for (const auto& [encoder, results] : of_encoder) {
    replace_file(folder / (encoder + "_experiment_results.json"), json_text(results));
  }
  replace_file(folder / "ablation_summary.json", json_text(ablation_summary(outcomes)));
}

}  // namespace headroom::matrix
