#include "molecules/pages/score_table.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace molgauge::report {
namespace {

constexpr int kAllDigits = 0, kFewDigits = 4;
/// Number of columns (line, SMILES and name) that are shown if the input is not a table. In the columns of an
/// .sdf file, the data fields come after them.
constexpr std::size_t kShownOfLists = 3;

bool is_line_first(const ScoreReport& report) {
  return !report.input_columns.empty() && report.input_columns.front() == "line" && report.smiles_column == 1;
}

/// Tables for people leave out resembles_training_ood, which does not affect ood_prediction.
enum class Resemblance { shown, left_out };

std::vector<std::string> added_columns(const ScoreReport& report, Resemblance resemblance) {
  std::vector<std::string> names = {report.score_name};
  if (report.seeds > 1) {
    names.insert(names.end(), {"energy_deviation", "disagreement"});
  }
  if (report.is_domain) {
    names.insert(names.end(), {"domain_p_value", "in_training"});
  }
  names.emplace_back("ood_prediction");
  if (report.has_resemblance && resemblance == Resemblance::shown) {
    names.emplace_back("resembles_training_ood");
  }
  names.insert(names.end(), report.prediction_columns.begin(), report.prediction_columns.end());
  return names;
}

template <typename Number>
std::string number_text(Number number, int digits) {
  if (std::isnan(number)) {
    return "";
  }
  return digits == kAllDigits ? fmt::format("{}", number) : fmt::format("{:.{}f}", number, digits);
}

std::vector<std::string> added_cells(const ScoreReport& report, const ScoredMolecule& molecule, int digits,
                                     Resemblance resemblance) {
  const bool scored = !std::isnan(molecule.score);
  std::vector<std::string> cells = {number_text(molecule.score, digits)};
  if (report.seeds > 1) {
    cells.push_back(number_text(molecule.deviation, digits));
    cells.push_back(number_text(molecule.disagreement, digits));
  }
  if (report.is_domain) {
    cells.push_back(number_text(molecule.p_value, digits));
    cells.emplace_back(!scored ? "" : molecule.in_training ? "yes" : "no");
  }
  const bool is_ood =
      report.threshold && !molecule.in_training && static_cast<double>(molecule.score) > *report.threshold;
  cells.emplace_back(!scored || !report.threshold ? "" : is_ood ? "1" : "0");
  if (report.has_resemblance && resemblance == Resemblance::shown) {
    cells.push_back(number_text(molecule.resembles_training_ood, digits));
  }
  for (std::size_t i = 0; i < report.prediction_columns.size(); ++i) {
    cells.push_back(i < molecule.prediction.size() ? molecule.prediction[i] : "");
  }
  return cells;
}

std::vector<std::string> header_of(const ScoreReport& report, Resemblance resemblance) {
  std::vector<std::string> names = report.input_columns;
  for (const std::string& name : added_columns(report, resemblance)) {
    names.push_back(free_column_name(names, name));
  }
  return names;
}

std::vector<std::string> joined(std::vector<std::string> first, std::vector<std::string> second) {
  std::move(second.begin(), second.end(), std::back_inserter(first));
  return first;
}

}  // namespace

std::string free_column_name(const std::vector<std::string>& taken, const std::string& name) {
  std::string free = name;
  for (std::size_t i = 2; std::find(taken.begin(), taken.end(), free) != taken.end(); ++i) {
    free = fmt::format("{}_{}", name, i);
  }
  return free;
}

std::vector<std::string> score_header(const ScoreReport& report) {
  return header_of(report, Resemblance::shown);
}

std::vector<std::string> score_cells(const ScoreReport& report, const ScoredMolecule& molecule) {
  return joined(molecule.input, added_cells(report, molecule, kAllDigits, Resemblance::shown));
}

std::vector<std::string> short_score_header(const ScoreReport& report) {
  const auto header = header_of(report, Resemblance::left_out);
  const auto first_added = header.begin() + static_cast<std::ptrdiff_t>(report.input_columns.size());
  std::vector<std::string> names = report.input_columns;
  if (is_line_first(report)) {
    names.resize(std::min(names.size(), kShownOfLists));
  } else {
    names = {"line", report.input_columns.at(report.smiles_column)};
  }
  return joined(std::move(names), {first_added, header.end()});
}

std::vector<std::string> short_score_cells(const ScoreReport& report, const ScoredMolecule& molecule) {
  std::vector<std::string> cells = molecule.input;
  if (is_line_first(report)) {
    cells.resize(std::min(cells.size(), kShownOfLists));
  } else {
    cells = {std::to_string(molecule.line), molecule.input.at(report.smiles_column)};
  }
  std::vector<std::string> added = added_cells(report, molecule, kFewDigits, Resemblance::left_out);
  if (std::isnan(molecule.score)) {
    added.front() = "failed";
  }
  return joined(std::move(cells), std::move(added));
}

}  // namespace molgauge::report
