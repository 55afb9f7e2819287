#include "data/datasets/labelled_records.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "core/error.h"
#include "data/datasets/class_labels.h"
#include "data/io/bytes/line_reader.h"
#include "data/io/molecules/molecule_reader.h"

namespace headroom::datasets {
namespace {

/// The columns that a request names, in the order of the reader.
class Columns {
 public:
  explicit Columns(const SplitRequest& request) : names_(request.label_columns) {
    const MeasurementTable& table = request.table;
    assay_ = add(table.assay_column);
    relation_ = add(table.relation_column);
    type_ = add(table.type_column);
    units_ = add(table.units_column);
    confidence_ = add(table.confidence_column);
    label_count_ = request.label_columns.size();
  }

  const std::vector<std::string>& names() const { return names_; }

  /// Whether a field other than a label is empty.
  bool lack_a_field(const io::MoleculeRow& row) const {
    return std::any_of(row.fields.begin() + static_cast<std::ptrdiff_t>(label_count_), row.fields.end(),
                       [](const std::string& field) { return io::trimmed(field).empty(); });
  }

  LabelledRecord read(io::MoleculeRow&& row) const {
    LabelledRecord record;
    for (std::size_t column = 0; column < label_count_; ++column) {
      const bool known = !io::trimmed(row.fields[column]).empty();
      record.labels.push_back(
          known ? std::optional(number(row, column, "a class (0 or 1) or a measured value")) : std::nullopt);
    }
    record.assay_id = assay_ ? integer(row, *assay_) : 0;
    record.relation = relation_ ? relation(row, *relation_) : "=";
    record.measurement_type = type_ ? std::string(io::trimmed(row.fields[*type_])) : "";
    record.units = units_ ? std::string(io::trimmed(row.fields[*units_])) : "";
    if (confidence_) {
      record.confidence = number(row, *confidence_, "ChEMBL's confidence score");
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

  double number(const io::MoleculeRow& row, std::size_t column, const char* meaning) const {
    const auto value = parse_label(row.fields[column]);
    if (!value) {
      refuse(row, column, std::string("a number was expected: ") + meaning);
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
  std::size_t label_count_ = 0;
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
  const Columns columns(request);
  const auto reader = io::open_molecules(
      request.molecules, {.smiles_column = request.smiles_column, .extra_columns = columns.names()});
  LabelledRecords input;
  while (auto row = reader->next()) {
    ++input.rows;
    require_smiles(row->record);
    if (request.label_columns.size() == 1 && io::trimmed(row->fields.front()).empty()) {
      ++input.unlabelled;
    } else if (columns.lack_a_field(*row)) {
      ++input.incomplete;
    } else {
      input.records.push_back(columns.read(std::move(*row)));
    }
  }
  return input;
}

}  // namespace headroom::datasets
