#include "molecules/pages/result_tables.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace molgauge::report {
namespace {

using matrix::Estimate;
using matrix::VariantSummary;

constexpr const char* kPositiveClass = " (OOD is the positive class)";
constexpr const char* kNoValue = "\u2013";

std::string with_deviation(const Estimate& estimate) {
  if (estimate.count == 0 || !std::isfinite(estimate.mean)) {
    return kNoValue;
  }
  return estimate.count == 1
             ? fmt::format("{:.3f}", estimate.mean)
             : fmt::format("{:.3f} \u00B1 {:.3f}", estimate.mean, estimate.standard_deviation);
}

std::vector<page::TableColumn> columns() {
  return {{"method", false},         {"encoder", false},    {"runs", true},
          {"AUROC \u2191", true},    {"AUPR \u2191", true}, {"FPR95 \u2193", true},
          {"validation AUROC", true}};
}

std::vector<page::TableCell> row_of(const VariantSummary& summary) {
  const std::string runs = summary.failed == 0
                               ? std::to_string(summary.auroc.count)
                               : fmt::format("{} ({} failed)", summary.auroc.count, summary.failed);
  return {{display_name(summary.variant)},
          {summary.encoder},
          {runs},
          {with_deviation(summary.auroc)},
          {with_deviation(summary.aupr)},
          {with_deviation(summary.fpr95)},
          {with_deviation(summary.validation_auroc)}};
}

/// Marks the cell with the best mean in a column, and all cells whose rounded mean is equal.
void mark_best(page::Table& table, const std::vector<VariantSummary>& summaries, std::size_t column,
               Estimate VariantSummary::*metric, bool larger_is_better) {
  const auto shown = [](double value) { return std::round(value * 1000) / 1000; };
  double best = std::nan("");
  for (const VariantSummary& summary : summaries) {
    const Estimate& estimate = summary.*metric;
    if (estimate.count > 0 &&
        (std::isnan(best) || (larger_is_better ? estimate.mean > best : estimate.mean < best))) {
      best = estimate.mean;
    }
  }
  for (std::size_t row = 0; row < summaries.size(); ++row) {
    const Estimate& estimate = summaries[row].*metric;
    table.rows[row][column].best =
        summaries.size() > 1 && estimate.count > 0 && shown(estimate.mean) == shown(best);
  }
}

page::Table table_of(const std::string& caption, const std::vector<VariantSummary>& summaries) {
  page::Table table{caption, columns(), {}};
  for (const VariantSummary& summary : summaries) {
    table.rows.push_back(row_of(summary));
  }
  return table;
}

/// Groups summaries by `key`. The groups are in the order in which their keys first appear.
template <typename Key>
std::vector<std::pair<std::string, std::vector<VariantSummary>>> grouped(
    const std::vector<VariantSummary>& summaries, Key key) {
  std::vector<std::pair<std::string, std::vector<VariantSummary>>> groups;
  for (const VariantSummary& summary : summaries) {
    const std::string name = key(summary);
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const auto& other) { return other.first == name; });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), {name, {}});
    }
    group->second.push_back(summary);
  }
  return groups;
}

}  // namespace

std::vector<page::Table> result_tables(const std::vector<Setting>& settings) {
  std::vector<VariantSummary> all;
  for (const Setting& setting : settings) {
    for (const ComparedMethod& contender : setting.contenders) {
      all.push_back(contender.summary);
    }
  }
  std::vector<page::Table> tables;
  for (const auto& [benchmark, summaries] :
       grouped(all, [](const VariantSummary& summary) { return summary.benchmark; })) {
    page::Table table = table_of(benchmark + kPositiveClass, summaries);
    mark_best(table, summaries, 3, &VariantSummary::auroc, true);
    mark_best(table, summaries, 4, &VariantSummary::aupr, true);
    mark_best(table, summaries, 5, &VariantSummary::fpr95, false);
    tables.push_back(std::move(table));
  }
  return tables;
}

std::vector<page::Table> grid_tables(const Study& study) {
  std::vector<VariantSummary> points;
  for (const VariantSummary& summary : matrix::summarize(study.outcomes)) {
    if (summary.variant != summary.method) {
      points.push_back(summary);
    }
  }
  std::vector<page::Table> tables;
  for (const auto& [benchmark, summaries] :
       grouped(points, [](const VariantSummary& summary) { return summary.benchmark; })) {
    tables.push_back(table_of(benchmark + ": every point of the grid" + kPositiveClass, summaries));
  }
  return tables;
}

page::Table tidy_table(const Study& study) {
  page::Table table;
  for (const char* name : {"benchmark", "encoder", "method", "variant", "runs", "failed"}) {
    table.columns.push_back({name});
  }
  for (const char* metric :
       {"auroc", "aupr", "fpr95", "validation_auroc", "aupr_id_positive", "fpr95_id_positive"}) {
    for (const char* part : {"mean", "std", "low95", "high95"}) {
      table.columns.push_back({fmt::format("{}_{}", metric, part), true});
    }
  }
  for (const VariantSummary& summary : matrix::summarize(study.outcomes)) {
    std::vector<page::TableCell> row = {{summary.benchmark},
                                        {summary.encoder},
                                        {summary.method},
                                        {summary.variant},
                                        {std::to_string(summary.auroc.count)},
                                        {std::to_string(summary.failed)}};
    for (const Estimate* metric : {&summary.auroc, &summary.aupr, &summary.fpr95, &summary.validation_auroc,
                                   &summary.aupr_id_positive, &summary.fpr95_id_positive}) {
      for (const double part : {metric->mean, metric->standard_deviation, metric->low, metric->high}) {
        row.push_back({metric->count > 0 && std::isfinite(part) ? fmt::format("{}", part) : ""});
      }
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace molgauge::report
