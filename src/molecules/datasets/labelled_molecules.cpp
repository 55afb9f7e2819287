#include "molecules/datasets/labelled_molecules.h"

#include <fmt/format.h>

#include "base/core/error.h"
#include "molecules/datasets/assay_filter.h"
#include "molecules/datasets/class_labels.h"
#include "molecules/datasets/drugood_split.h"
#include "molecules/datasets/identities.h"
#include "molecules/datasets/labelled_records.h"

namespace molgauge::datasets {
namespace {

LabelledMolecule labelled(LabelledRecord&& row, chem::Identity&& identity, DomainKind kind) {
  LabelledMolecule molecule;
  molecule.label = without_censoring(mean_of_known(row.labels), row.relation);
  molecule.labels = std::move(row.labels);
  molecule.assay_id = row.assay_id;
  molecule.domain = domain_value(identity, row.assay_id, kind);
  molecule.canonical_smiles = std::move(identity.canonical_smiles);
  molecule.bonds = identity.bonds;
  molecule.record = std::move(row.record);
  return molecule;
}

[[noreturn]] void refuse(const FailedMolecule& failed) {
  throw InputError(
      fmt::format("{}:{}: '{}' is not a molecule: {}. Without --strict such records are left out",
                  failed.file, failed.line, failed.text, failed.reason));
}

void require_some(const LabelledMolecules& labelled, const std::string& file) {
  if (!labelled.molecules.empty()) {
    return;
  }
  throw InputError(
      fmt::format("{}: no molecules to split: of {} records, {} have no label, {} were filtered out and {} "
                  "are invalid molecule{}",
                  file, labelled.rows, labelled.unlabelled, labelled.filtered, labelled.failed.size(),
                  labelled.failed.empty() ? "" : " (" + labelled.failed.front().reason + ")"));
}

}  // namespace

LabelledMolecules read_labelled_molecules(const SplitRequest& request, DomainKind kind) {
  LabelledRecords input = read_labelled_records(request);
  LabelledMolecules result;
  result.rows = input.rows;
  result.unlabelled = input.unlabelled;
  result.filtered = input.incomplete;
  if (request.table.subset) {
    result.filtered += filter_assays(input.records, request.table);
  }
  std::vector<chem::MoleculeRecord> records;
  records.reserve(input.records.size());
  for (const auto& row : input.records) {
    records.push_back(row.record);
  }
  Identities identities = identify_all(records, kind == DomainKind::scaffold, request.threads, request.quiet);
  if (request.strict && !identities.failed.empty()) {
    refuse(identities.failed.front());
  }
  result.failed = std::move(identities.failed);
  for (std::size_t i = 0; i < input.records.size(); ++i) {
    if (auto& identity = identities.of_record[i]) {
      result.molecules.push_back(labelled(std::move(input.records[i]), std::move(*identity), kind));
    }
  }
  require_some(result, request.molecules);
  return result;
}

}  // namespace molgauge::datasets
