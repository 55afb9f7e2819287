#include "molecules/pages/predictions.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/folder_checksums.h"
#include "base/io/tables/csv_reader.h"
#include "molecules/pages/numbers.h"

namespace molgauge::report {
namespace {

std::optional<std::size_t> find_column(const std::vector<std::string>& header, const std::string& name) {
  const auto found = std::find(header.begin(), header.end(), name);
  return found == header.end() ? std::nullopt : std::optional<std::size_t>(found - header.begin());
}

/// Parses the label of a row: 1 for OOD, 0 for ID.
bool is_ood(const std::string& label, const std::string& file, std::size_t line) {
  if (label != "0" && label != "1") {
    throw InputError(fmt::format("{}:{}: true_label is '{}', neither 0 (ID) nor 1 (OOD)", file, line,
                                 label.substr(0, 40)));
  }
  return label == "1";
}

}  // namespace

Predictions read_predictions(const std::filesystem::path& path) {
  const std::string file = path.string();
  require_intact(path, "Run 'molgauge evaluate' again");
  io::CsvReader reader(file, ',');
  const auto first = reader.next();
  const std::vector<std::string> header = first ? first->fields : std::vector<std::string>{};
  const auto score_column = find_column(header, "score"), label_column = find_column(header, "true_label");
  const auto smiles_column = find_column(header, "smiles");
  if (!score_column || !label_column || !smiles_column) {
    throw InputError(file + ": no columns 'score', 'true_label' and 'smiles'. Run 'molgauge evaluate' again");
  }
  Predictions predictions;
  while (const auto row = reader.next()) {
    if (row->fields.size() != header.size()) {
      throw InputError(fmt::format("{}:{}: {} fields, but the header has {}", file, row->line,
                                   row->fields.size(), header.size()));
    }
    const auto score = static_cast<float>(parse_number(row->fields[*score_column], file, row->line));
    if (!std::isfinite(score)) {
      throw InputError(fmt::format("{}:{}: the score is not a finite number", file, row->line));
    }
    const bool ood = is_ood(row->fields[*label_column], file, row->line);
    (ood ? predictions.ood_scores : predictions.id_scores).push_back(score);
    (ood ? predictions.ood_smiles : predictions.id_smiles).push_back(row->fields[*smiles_column]);
  }
  if (predictions.id_scores.empty() || predictions.ood_scores.empty()) {
    throw InputError(file + ": needs molecules of both sides, ID and OOD");
  }
  return predictions;
}

}  // namespace molgauge::report
