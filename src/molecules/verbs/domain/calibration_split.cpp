#include "molecules/verbs/domain/calibration_split.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/io/bytes/line_reader.h"
#include "molecules/encoding/session/required_columns.h"
#include "molecules/files/molecule_reader.h"
#include "molecules/judging/saved_domain.h"

namespace molgauge::verbs {
namespace {

constexpr const char* kSplit = "--calibration-split";
/// Largest number of values that an error message lists.
constexpr std::size_t kShownValues = 10;

/// Throws InputError unless the file has rows with and without the value.
void require_two_parts(const DomainRequest& request, const std::string& column, const std::string& value) {
  const session::SmilesColumn smiles{request.training_smiles_column, "--train-smiles-column"};
  session::require_columns(request.training, smiles, std::vector<session::RequiredColumn>{{kSplit, column}});
  io::MoleculeReaderOptions options;
  options.smiles_column = request.training_smiles_column;
  options.extra_columns = {column};
  const auto reader = io::open_molecules(request.training, options);
  std::vector<std::string> others;
  bool has_value = false;
  while (const auto row = reader->next()) {
    const std::string own(io::trimmed(row->fields.front()));
    if (own == value) {
      has_value = true;
    } else if (others.size() <= kShownValues &&
               std::find(others.begin(), others.end(), own) == others.end()) {
      others.push_back(own);
    }
  }
  if (!has_value) {
    const bool has_more = others.size() > kShownValues;
    others.resize(std::min(others.size(), kShownValues));
    throw InputError(
        fmt::format("{}: no row has '{}' in the column {}, so there are no molecules for the "
                    "calibration. Available: {}{}",
                    request.training, value, column, fmt::join(others, ", "), has_more ? ", ..." : ""));
  }
  if (others.empty()) {
    throw InputError(
        fmt::format("{}: all rows have '{}' in the column {}, so there are no training molecules. "
                    "Name a value that some rows do not have",
                    request.training, value, column));
  }
}

}  // namespace

CalibrationSplit::CalibrationSplit(const DomainRequest& request) {
  const std::string& text = request.calibration_split;
  if (text.empty()) {
    return;
  }
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0 || sign + 1 == text.size()) {
    throw UsageError(
        fmt::format("{} {}: is not COLUMN=VALUE. Name a column of {} and a value in it, for example "
                    "split=test",
                    kSplit, text, request.training));
  }
  if (!request.calibration.empty()) {
    throw UsageError(
        fmt::format("{} {}: the calibration molecules are in {}. Leave out one of the two options", kSplit,
                    text, request.calibration));
  }
  if (request.label_column.empty()) {
    throw UsageError(
        fmt::format("{} {}: calibration needs measured values. Add --label-column", kSplit, text));
  }
  if (domain::is_saved_domain(request.training) || !io::is_rereadable(request.training)) {
    throw UsageError(
        fmt::format("{} {}: {} is not a file of molecules that can be split. Name a file, or use "
                    "--calibration",
                    kSplit, text, request.training));
  }
  const std::string column = text.substr(0, sign), value = text.substr(sign + 1);
  require_two_parts(request, column, value);
  training_.emplace(io::PartOfRows{request.training, column, value, /*has_value=*/false, kSplit});
  calibration_.emplace(io::PartOfRows{request.training, column, value, /*has_value=*/true, kSplit});
}

DomainRequest CalibrationSplit::applied_to(DomainRequest request) const {
  if (training_) {
    request.training = training_->name();
    request.calibration = calibration_->name();
  }
  return request;
}

}  // namespace molgauge::verbs
