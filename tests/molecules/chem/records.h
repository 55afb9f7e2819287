#pragma once

#include <string>

#include "molecules/chem/identity.h"
#include "molecules/chem/perception.h"

namespace molgauge::test {

inline chem::MoleculeRecord smiles_record(const std::string& smiles) {
  chem::MoleculeRecord record;
  record.text = smiles;
  return record;
}

inline chem::MoleculeRecord mol_block_record(const std::string& block) {
  chem::MoleculeRecord record;
  record.text = block;
  record.format = chem::RecordFormat::molblock;
  return record;
}

inline chem::Molecule perceive_smiles(const std::string& smiles) {
  return chem::perceive(smiles_record(smiles), {});
}

/// RDKit's canonical SMILES of a molecule in the form in which molecules are compared
/// (molecules/chem/identity.h).
inline std::string canonical(const std::string& smiles) {
  return chem::identify(smiles_record(smiles), false).canonical_smiles;
}

/// The reason why a record is refused. Empty if it is accepted.
inline std::string refusal(const chem::MoleculeRecord& record) {
  try {
    chem::perceive(record, {});
    return "";
  } catch (const chem::InvalidMolecule& failure) {
    return failure.what();
  }
}

}  // namespace molgauge::test
