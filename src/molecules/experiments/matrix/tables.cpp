#include "molecules/experiments/matrix/tables.h"

#include <cmath>

#include <fmt/format.h>

#include "base/core/files/atomic_file.h"
#include "base/core/text/csv.h"
#include "molecules/experiments/matrix/summary.h"

namespace molgauge::matrix {
namespace {

std::string row(const std::vector<std::string>& cells, CsvTexts texts = CsvTexts::exact) {
  std::string line;
  for (const auto& cell : cells) {
    line += csv_field(cell, texts) + ",";
  }
  line.back() = '\n';
  return line;
}

/// The shortest text that parses to the same number.
std::string number(double value) { return fmt::format("{}", value); }

std::vector<std::string> plan_header() {
  return {"benchmark", "encoder", "method", "kind", "options", "seed", "data_seed"};
}

std::vector<std::string> plan_cells(const Cell& cell) {
  return {cell.benchmark,
          cell.encoder,
          cell.method,
          cell.kind,
          options::to_text(cell.grid),
          std::to_string(cell.seed),
          std::to_string(cell.data_seed)};
}

/// Returns the text of a number, or an empty text for NaN.
std::string known(double value) { return std::isfinite(value) ? number(value) : ""; }

/// The table of all cells. `texts` matters only for error messages, because all names begin with a letter or
/// a digit.
std::string cells_table(const std::vector<CellOutcome>& outcomes, CsvTexts texts) {
  std::vector<std::string> header = plan_header();
  header.insert(header.end(), {"auroc", "aupr", "fpr95", "validation_auroc", "id_count", "ood_count",
                               "id_mean_score", "ood_mean_score", "epochs_run", "best_epoch",
                               "aupr_id_positive", "fpr95_id_positive", "remark", "error"});
  std::string text = row(header);
  for (const auto& [cell, ended, found] : outcomes) {
    std::vector<std::string> cells = plan_cells(cell);
    if (ended.result) {
      const CellResult& result = *ended.result;
      cells.insert(cells.end(), {number(result.auroc), number(result.aupr), number(result.fpr95),
                                 number(result.validation_auroc), std::to_string(result.id_count),
                                 std::to_string(result.ood_count), number(result.id_mean_score),
                                 number(result.ood_mean_score), std::to_string(result.epochs_run),
                                 std::to_string(result.best_epoch), known(result.aupr_id_positive),
                                 known(result.fpr95_id_positive), result.remark, ""});
    } else {
      cells.insert(cells.end(), 13, "");
      cells.push_back(ended.error);
    }
    text += row(cells, texts);
  }
  return text;
}

std::string variants_table(const std::vector<VariantSummary>& summaries) {
  std::vector<std::string> header = {"benchmark", "encoder", "method", "variant", "runs", "failed"};
  for (const char* metric :
       {"auroc", "aupr", "fpr95", "validation_auroc", "aupr_id_positive", "fpr95_id_positive"}) {
    for (const char* part : {"mean", "std", "low95", "high95"}) {
      header.push_back(fmt::format("{}_{}", metric, part));
    }
  }
  std::string text = row(header);
  for (const auto& summary : summaries) {
    std::vector<std::string> cells = {summary.benchmark,
                                      summary.encoder,
                                      summary.method,
                                      summary.variant,
                                      std::to_string(summary.auroc.count),
                                      std::to_string(summary.failed)};
    for (const Estimate* metric : {&summary.auroc, &summary.aupr, &summary.fpr95, &summary.validation_auroc,
                                   &summary.aupr_id_positive, &summary.fpr95_id_positive}) {
      for (const double part : {metric->mean, metric->standard_deviation, metric->low, metric->high}) {
        cells.push_back(metric->count > 0 && std::isfinite(part) ? number(part) : "");
      }
    }
    text += row(cells);
  }
  return text;
}

std::string comparisons_table(const std::vector<Comparison>& comparisons) {
  std::string text =
      row({"benchmark", "encoder", "first", "second", "pairs", "data_seeds", "mean_auroc_difference",
           "p_value", "p_value_over", "p_holm", "molecules_low95", "molecules_high95", "molecules_p_value",
           "molecules_p_holm", "id_scaffolds", "ood_scaffolds"});
  for (const auto& comparison : comparisons) {
    std::vector<std::string> cells = {comparison.benchmark,
                                      comparison.encoder,
                                      comparison.first,
                                      comparison.second,
                                      std::to_string(comparison.pairs),
                                      std::to_string(comparison.data_seeds),
                                      number(comparison.mean_difference),
                                      number(comparison.p_value),
                                      comparison.averages_data_seeds ? "data seeds" : "training seeds",
                                      number(comparison.p_holm)};
    if (const auto& bootstrap = comparison.bootstrap) {
      cells.insert(cells.end(), {number(bootstrap->low), number(bootstrap->high), number(bootstrap->p_value),
                                 number(bootstrap->p_holm), std::to_string(bootstrap->id_scaffolds),
                                 std::to_string(bootstrap->ood_scaffolds)});
    } else {
      cells.insert(cells.end(), 6, "");
    }
    text += row(cells);
  }
  return text;
}

}  // namespace

void write_plan(const std::filesystem::path& folder, const std::vector<CellOutcome>& runs) {
  std::vector<std::string> header = plan_header();
  header.emplace_back("identity");
  std::string text = row(header);
  for (const auto& run : runs) {
    std::vector<std::string> cells = plan_cells(run.cell);
    cells.push_back(identity_mark(run.ended.identity));
    text += row(cells);
  }
  replace_file(folder / "plan.csv", text);
}

void write_tables(const std::filesystem::path& folder, const std::vector<CellOutcome>& outcomes,
                  CsvTexts texts) {
  const auto summaries = summarize(outcomes);
  replace_file(folder / "cells.csv", cells_table(outcomes, texts));
  replace_file(folder / "summary.csv", variants_table(summaries));
  const auto chosen = choose_on_validation(summaries);
  write_or_remove(folder / "chosen.csv", chosen.empty() ? "" : variants_table(chosen));
}

void write_significance(const std::filesystem::path& folder, const std::vector<Comparison>& comparisons) {
  replace_file(folder / "significance.csv", comparisons_table(comparisons));
}

void write_or_remove(const std::filesystem::path& file, const std::string& text) {
  if (text.empty()) {
    std::filesystem::remove(file);
  } else {
    replace_file(file, text);
  }
}

}  // namespace molgauge::matrix
