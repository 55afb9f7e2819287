#include "molecules/encoding/session/required_columns.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/text/nearest_name.h"
#include "base/io/bytes/line_reader.h"
#include "molecules/datasets/class_labels.h"
#include "molecules/files/molecule_reader.h"

namespace molgauge::session {
namespace {

/// Checks that an .sdf has a data field. The reader does not check this, because it gives an empty cell for a
/// field that does not exist.
void require_known(const std::string& path, const RequiredColumn& column,
                   const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), column.column) == names.end()) {
    throw InputError(fmt::format("{}: no record has a field \"{}\". The fields are: {}. Correct {}{}", path,
                                 column.column, fmt::join(names, ", "), column.option,
                                 did_you_mean(column.column, names)));
  }
}

}  // namespace

double number_in_cell(std::string_view cell, const chem::MoleculeRecord& record, const std::string& column,
                      const char* remedy) {
  const std::string_view text = io::trimmed(cell);
  if (text.empty()) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  constexpr double kLargest = 1e100;  // limit of absolute values, because errors are squared and summed
  const auto value = datasets::parse_label(text);
  if (!value || std::abs(*value) > kLargest) {
    throw InputError(
        fmt::format("{}:{}: '{}' in the column {} {}. {}", record.file, record.line, text, column,
                    value ? "is too large: values up to 1e100 are supported" : "is not a number", remedy));
  }
  return *value;
}

CheckedColumns require_columns(const std::string& path, const SmilesColumn& smiles,
                               std::span<const RequiredColumn> columns) {
  if (path == "-" || (std::filesystem::exists(path) && !std::filesystem::is_directory(path) &&
                      !std::filesystem::is_regular_file(path))) {
    return {};
  }
  io::MoleculeReaderOptions options;
  options.smiles_column = smiles.column;
  options.smiles_option = smiles.option;
  options.own_columns = io::OwnColumns::all;
  CheckedColumns checked;
  for (const RequiredColumn& column : columns) {
    checked.labels.emplace_back(column.column);
    options.extra_columns.push_back(column.column);
    options.extra_options.push_back(column.option);
  }
  const auto reader = io::open_molecules(path, options);
  bool is_sdf = false;
  while (const auto row = reader->next()) {
    ++checked.records;
    is_sdf = row->record.format == chem::RecordFormat::molblock;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].values == RequiredColumn::Values::numbers) {
        number_in_cell(row->fields[i], row->record, columns[i].column);
      } else if (columns[i].values == RequiredColumn::Values::labels) {
        checked.labels[i].read(row->fields[i], row->record);
      }
    }
  }
  for (const datasets::LabelColumn& labels : checked.labels) {
    labels.require_valid();
  }
  checked.names = reader->columns();
  if (is_sdf) {
    for (const RequiredColumn& column : columns) {
      require_known(path, column, checked.names);
    }
  }
  return checked;
}

}  // namespace molgauge::session
