#include "datasets/labelled_molecules.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/worker_group.h"
#include "datasets/class_labels.h"
#include "io/molecule_reader.h"

namespace headroom::datasets {
namespace {

bool is_blank(const std::string& text) { return text.find_first_not_of(" \t\r") == std::string::npos; }

double label_of(const io::MoleculeRow& row, const std::string& column) {
  const auto label = parse_label(row.fields.front());
  if (!label) {
    throw InputError(
        fmt::format("{}:{}: {} is '{}', a number was expected: a class (0 or 1) or a measured value",
                    row.record.file, row.record.line, column, row.fields.front()));
  }
  return *label;
}

void require_smiles(const chem::MoleculeRecord& record) {
  if (record.format != chem::RecordFormat::smiles) {
    throw InputError(
        fmt::format("{}:{}: a benchmark holds SMILES and this is a mol block; give the molecules as .csv, "
                    ".tsv or .smi",
                    record.file, record.line));
  }
}

/// Records and labels, the molecules not understood yet.
struct Records {
  std::vector<chem::MoleculeRecord> records;
  std::vector<double> labels;
  std::size_t rows = 0, unlabelled = 0;
};

Records read_records(const SplitRequest& request) {
  const bool labelled = !request.label_column.empty();
  io::MoleculeReaderOptions options{.smiles_column = request.smiles_column, .extra_columns = {}};
  if (labelled) {
    options.extra_columns.push_back(request.label_column);
  }
  const auto reader = io::open_molecules(request.molecules, options);
  Records input;
  while (auto row = reader->next()) {
    ++input.rows;
    require_smiles(row->record);
    if (labelled && is_blank(row->fields.front())) {
      ++input.unlabelled;
      continue;
    }
    input.labels.push_back(labelled ? label_of(*row, request.label_column) : 0.0);
    input.records.push_back(std::move(row->record));
  }
  return input;
}

[[noreturn]] void refuse(const FailedMolecule& failed) {
  throw InputError(fmt::format("{}:{}: '{}' is no molecule: {}; without --strict such records are left out",
                               failed.file, failed.line, failed.text, failed.reason));
}

}  // namespace

LabelledMolecules read_labelled_molecules(const SplitRequest& request, DomainKind kind) {
  Records input = read_records(request);
  const std::size_t threads = request.threads == 0 ? available_processors() : request.threads;
  DomainValues domains = domain_values(input.records, kind, threads, request.quiet);
  if (request.strict && !domains.failed.empty()) {
    refuse(domains.failed.front());
  }
  LabelledMolecules labelled;
  labelled.rows = input.rows;
  labelled.unlabelled = input.unlabelled;
  labelled.failed = std::move(domains.failed);
  for (std::size_t i = 0; i < input.records.size(); ++i) {
    if (domains.of_record[i]) {
      labelled.molecules.push_back(
          {std::move(input.records[i]), input.labels[i], std::move(*domains.of_record[i])});
    }
  }
  if (labelled.molecules.empty()) {
    throw InputError(
        fmt::format("{}: no molecule to split: of {} records {} have no label and {} are no molecule{}",
                    request.molecules, labelled.rows, labelled.unlabelled, labelled.failed.size(),
                    labelled.failed.empty() ? "" : " (" + labelled.failed.front().reason + ")"));
  }
  return labelled;
}

}  // namespace headroom::datasets
