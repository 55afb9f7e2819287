#include "molecules/datasets/labelled_records.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/line_reader.h"
#include "molecules/datasets/class_labels.h"
#include "molecules/datasets/label_column.h"
#include "molecules/files/molecule_reader.h"

namespace molgauge::datasets {
namespace {

/// The columns that a request names, in the order of the reader.
class Columns {
 public:
  explicit Columns(const SplitRequest& request) : names_(request.label_columns) {
    for (const std::string& name : request.label_columns) {
      labels_.emplace_back(name, Censoring::refused);
    }
    const MeasurementTable& table = request.table;
    assay_ = add(table.assay_column);
    relation_ = add(table.relation_column);
    type_ = add(table.type_column);
    units_ = add(table.units_column);
    confidence_ = add(table.confidence_column);
  }

  const std::vector<std::string>& names() const { return names_; }

  /// Whether the table has only one label column, and a row has no label in it.
  static bool lack_the_label(const std::vector<std::optional<double>>& labels) {
    return labels.size() == 1 && !labels.front();
  }

  /// Reads the labels of a row. An unknown text is reported by require_valid().
  std::vector<std::optional<double>> labels(const io::MoleculeRow& row) {
    std::vector<std::optional<double>> labels;
    for (std::size_t column = 0; column < labels_.size(); ++column) {
      const double label = labels_[column].read(row.fields[column], row.record);
      labels.push_back(std::isnan(label) ? std::nullopt : std::optional(label));
    }
    return labels;
  }

  /// Throws InputError if a label column is invalid. Call it after the last row.
  void require_valid() const {
    for (const LabelColumn& column : labels_) {
      column.require_valid();
    }
  }

  /// Whether a field other than a label is empty.
  bool lack_a_field(const io::MoleculeRow& row) const {
    return std::any_of(row.fields.begin() + static_cast<std::ptrdiff_t>(labels_.size()), row.fields.end(),
                       [](const std::string& field) { return io::trimmed(field).empty(); });
  }

  LabelledRecord read(io::MoleculeRow&& row, std::vector<std::optional<double>>&& labels) const {
    LabelledRecord record;
    record.labels = std::move(labels);
    record.assay_id = assay_ ? integer(row, *assay_) : 0;
    record.relation = relation_ ? relation(row, *relation_) : "=";
    record.measurement_type = type_ ? std::string(io::trimmed(row.fields[*type_])) : "";
    record.units = units_ ? std::string(io::trimmed(row.fields[*units_])) : "";
    if (confidence_) {
      record.confidence = confidence(row, *confidence_);
    }
    record.record = std::move(row.record);
    return record;
  }

 private:
  std::optional<std::size_t> add(const std::string& name) {
    if (name.empty()) {
      return std::nullopt;
    }
    names_.push_back(name);
    return names_.size() - 1;
  }

  [[noreturn]] void refuse(const io::MoleculeRow& row, std::size_t column,
                           const std::string& expected) const {
    throw InputError(fmt::format("{}:{}: {} is '{}', {}", row.record.file, row.record.line, names_[column],
                                 row.fields[column], expected));
  }

  double confidence(const io::MoleculeRow& row, std::size_t column) const {
    const auto value = parse_label(row.fields[column]);
    if (!value) {
      refuse(row, column, "a number was expected: ChEMBL's confidence score");
    }
    return *value;
  }

  std::int64_t integer(const io::MoleculeRow& row, std::size_t column) const {
    const std::string text(io::trimmed(row.fields[column]));
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size()) {
      refuse(row, column, "an integer was expected: DrugOOD's files number their assays");
    }
    return value;
  }

  std::string relation(const io::MoleculeRow& row, std::size_t column) const {
    constexpr std::array kRelations = {"=", "~", "<", "<=", ">", ">="};
    const std::string text(io::trimmed(row.fields[column]));
    if (std::find(kRelations.begin(), kRelations.end(), text) == kRelations.end()) {
      refuse(row, column, "one of = ~ < <= > >= was expected");
    }
    return text;
  }

  std::vector<std::string> names_;
  std::vector<LabelColumn> labels_;
  std::optional<std::size_t> assay_, relation_, type_, units_, confidence_;
};

void require_smiles(const chem::MoleculeRecord& record) {
  if (record.format != chem::RecordFormat::smiles) {
    throw InputError(fmt::format(
        "{}:{}: is a mol block, but a benchmark contains SMILES. Give the molecules as .csv, .tsv or .smi",
        record.file, record.line));
  }
}

}  // namespace

LabelledRecords read_labelled_records(const SplitRequest& request) {
  Columns columns(request);
  const auto reader = io::open_molecules(
      request.molecules, {.smiles_column = request.smiles_column, .extra_columns = columns.names()});
  LabelledRecords input;
  while (auto row = reader->next()) {
    ++input.rows;
    require_smiles(row->record);
    auto labels = columns.labels(*row);
    if (Columns::lack_the_label(labels)) {
      ++input.unlabelled;
    } else if (columns.lack_a_field(*row)) {
      ++input.incomplete;
    } else {
      input.records.push_back(columns.read(std::move(*row), std::move(labels)));
    }
  }
  columns.require_valid();
  return input;
}

}  // namespace molgauge::datasets
