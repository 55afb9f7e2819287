#include "molecules/verbs/score/scored_input.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/core/threads/worker_group.h"
#include "molecules/chem/identity.h"
#include "molecules/chem/perception.h"
#include "molecules/pages/score_table.h"

namespace molgauge::verbs {

ScoredInput::ScoredInput(const ScoreRequest& request, ScoreReport& report)
    : report_(report),
      table_(session::table_of(request.molecules, request.smiles_column,
                               [this](const io::MoleculeRow& row) { remember(row); })) {
  report_.smiles_column = table_.smiles_field.value_or(1);
}

void ScoredInput::remember(const io::MoleculeRow& row) {
  ScoredMolecule molecule{.row = row.record.row, .line = row.record.line, .input = {}};
  if (table_.smiles_field) {
    molecule.input = row.fields;
  } else {
    molecule.input.reserve(2 + row.fields.size());
    molecule.input = {std::to_string(row.record.line), row.record.text};
    molecule.input.insert(molecule.input.end(), row.fields.begin(), row.fields.end());
  }
  if (row.record.format == chem::RecordFormat::molblock) {
    mol_blocks_.push_back(report_.molecules.size());
  }
  report_.molecules.push_back(std::move(molecule));
}

void ScoredInput::name_columns() {
  if (table_.smiles_field) {
    report_.input_columns = *table_.columns;
    return;
  }
  report_.input_columns = {"line", "smiles"};
  for (const std::string& column : *table_.columns) {
    report_.input_columns.push_back(report::free_column_name(report_.input_columns, column));
  }
  for (ScoredMolecule& molecule : report_.molecules) {
    molecule.input.resize(report_.input_columns.size());
  }
}

chem::MoleculeRecord ScoredInput::record(std::size_t row) const {
  const ScoredMolecule& molecule = report_.molecules[row];
  const bool is_mol_block = std::binary_search(mol_blocks_.begin(), mol_blocks_.end(), row);
  chem::MoleculeRecord record;
  record.text = molecule.input.at(report_.smiles_column);
  record.format = is_mol_block ? chem::RecordFormat::molblock : chem::RecordFormat::smiles;
  record.row = molecule.row;
  record.line = molecule.line;
  return record;
}

void ScoredInput::name_mol_blocks(const std::vector<bool>& usable, std::size_t threads) {
  parallel_for(mol_blocks_.size(), threads, [&](std::size_t i) {
    const std::size_t row = mol_blocks_[i];
    std::string& text = report_.molecules[row].input[report_.smiles_column];
    chem::MoleculeRecord block;
    block.format = chem::RecordFormat::molblock;
    block.text = std::exchange(text, {});
    if (!usable[row]) {
      return;
    }
    try {
      text = chem::identify(block, /*with_scaffold=*/false).canonical_smiles;
    } catch (const chem::InvalidMolecule&) {  // RDKit cannot read the molecule, so its features were imported
    }
  });
}

}  // namespace molgauge::verbs
