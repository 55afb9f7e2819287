#include "datasets/domain_value.h"

#include "chem/perception.h"
#include "chem/scaffold.h"
#include "core/cancellation.h"
#include "core/progress.h"
#include "core/worker_group.h"

namespace headroom::datasets {
namespace {

DomainValue domain_value(const chem::MoleculeRecord& record, DomainKind kind) {
  if (kind == DomainKind::size) {
    return {.scaffold = {}, .atoms = chem::heavy_atom_count(record)};
  }
  auto scaffold = chem::murcko_scaffold(record);
  return {.scaffold = std::move(scaffold.smiles), .atoms = scaffold.atoms};
}

}  // namespace

DomainValues domain_values(const std::vector<chem::MoleculeRecord>& records, DomainKind kind,
                           std::size_t threads, bool quiet) {
  DomainValues values;
  values.of_record.resize(records.size());
  std::vector<std::string> reasons(records.size());
  Progress progress("read", "molecules", records.size(), quiet);
  parallel_for(records.size(), threads, [&](std::size_t i) {
    throw_if_cancelled();
    try {
      values.of_record[i] = domain_value(records[i], kind);
    } catch (const chem::InvalidMolecule& invalid) {
      reasons[i] = invalid.what();
    }
    progress.advance(1);
  });
  progress.finish();
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (!values.of_record[i]) {
      const auto& record = records[i];
      values.failed.push_back({record.row, record.line, record.file, record.text, reasons[i]});
    }
  }
  return values;
}

}  // namespace headroom::datasets
