#include "chem/scaffold.h"

#include <memory>

#include <GraphMol/ChemTransforms/ChemTransforms.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "chem/murcko.h"
#include "chem/rdkit_call.h"
#include "chem/rdkit_reader.h"

namespace headroom::chem {

Scaffold murcko_scaffold_of(const RDKit::ROMol& molecule) {
  const std::unique_ptr<RDKit::ROMol> scaffold(RDKit::MurckoDecompose(molecule));
  scaffold->clearComputedProps();
  scaffold->updatePropertyCache();
  RDKit::MolOps::symmetrizeSSSR(*scaffold);
  constexpr bool with_chirality = false;
  return {RDKit::MolToSmiles(*scaffold, with_chirality), scaffold->getNumAtoms()};
}

Scaffold murcko_scaffold(const MoleculeRecord& record) {
  const auto molecule = read_molecule(record);
  return with_rdkit([&] { return murcko_scaffold_of(*molecule); });
}

std::size_t heavy_atom_count(const MoleculeRecord& record) { return read_molecule(record)->getNumAtoms(); }

}  // namespace headroom::chem
