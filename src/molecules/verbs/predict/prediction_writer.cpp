#include "molecules/verbs/predict/prediction_writer.h"

#include <utility>

#include "base/core/files/watched_inputs.h"
#include "base/runtime/device_choice.h"
#include "molecules/chem/identity.h"
#include "molecules/files/molecule_reader.h"
#include "molecules/pages/score_table.h"
#include "molecules/verbs/describe/property_columns.h"

namespace molgauge::verbs {
namespace {

/// The number of molecules whose properties are computed at the same time.
constexpr std::size_t kDescribedAtOnce = 512;

/// Returns the SMILES of a record, or an empty text if the record is not a molecule.
std::string written_smiles(const chem::MoleculeRecord& record, bool has_failed) {
  if (record.format == chem::RecordFormat::smiles) {
    return record.text;
  }
  return has_failed ? "" : chem::identify(record, /*with_scaffold=*/false).canonical_smiles;
}

}  // namespace

PredictionWriter::PredictionWriter(const PredictRequest& request, const std::string& input,
                                   const std::vector<std::string>& columns,
                                   const encoders::chemprop::ModelSet& set, bool marks_parents)
    : shown_(request.molecules),
      table_(session::table_of(input, request.smiles_column,
                               [this](const io::MoleculeRow& row) { fields_ = row.fields; })),
      input_columns_(input_columns(columns)),
      marks_parents_(marks_parents),
      describes_(request.describe),
      threads_(runtime::threads_of(request.compute)),
      predictions_(set, input_columns_, request.check_spellings),
      file_(request.out, header(), csv_texts(request.spreadsheet_safe), {request.workbook, request.sdf},
            threads_) {}

void PredictionWriter::write(PredictCall& call, const DescriptorSource& descriptors) {
  call.for_each_prediction(predictions_, descriptors, [&](const PredictedRow& row) { append(row, call); });
  if (table_.source()) {
    refuse_changed(shown_, "the number of records");
  }
  write_described();
  file_.finish();
}

std::vector<std::string> PredictionWriter::input_columns(const std::vector<std::string>& columns) const {
  if (table_.smiles_field) {
    return columns;
  }
  std::vector<std::string> names = {"line", "smiles"};
  for (const std::string& column : columns) {
    names.push_back(report::free_column_name(names, column));
  }
  return names;
}

std::vector<std::string> PredictionWriter::header() const {
  std::vector<std::string> header = input_columns_;
  header.insert(header.end(), predictions_.columns().begin(), predictions_.columns().end());
  if (marks_parents_) {
    header.push_back(report::free_column_name(header, kParentDiffers));
  }
  for (const std::string& name : describes_ ? property_names() : std::vector<std::string>()) {
    header.push_back(report::free_column_name(header, name));
  }
  return header;
}

void PredictionWriter::append(const PredictedRow& row, PredictCall& call) {
  auto record = table_.source();
  if (!record) {
    refuse_changed(shown_, "the number of records");
  }
  std::vector<std::string> cells = std::move(fields_);
  if (!table_.smiles_field) {
    cells.insert(cells.begin(), {std::to_string(record->line), written_smiles(*record, row.has_failed)});
  }
  cells.resize(input_columns_.size());
  if (row.has_failed) {
    predictions_.append_nothing(cells);
  } else {
    predictions_.append(row.predictions, row.spread, cells);
  }
  if (marks_parents_) {
    cells.emplace_back(row.parent.differs ? "yes" : "");
  }
  if (row.parent.is_example) {
    record->file = shown_;
    call.keep_example(*record);
  }
  if (!describes_) {
    file_.append(*record, std::move(cells));
    return;
  }
  waiting_.push_back(std::move(cells));
  records_.push_back(std::move(*record));
  if (waiting_.size() == kDescribedAtOnce) {
    write_described();
  }
}

void PredictionWriter::write_described() {
  const auto properties = properties_of_all(
      records_.size(), threads_, [&](std::size_t i) -> const chem::MoleculeRecord& { return records_[i]; });
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    append_property_cells(properties[i], waiting_[i]);
    file_.append(records_[i], std::move(waiting_[i]));
  }
  waiting_.clear();
  records_.clear();
}

}  // namespace molgauge::verbs
