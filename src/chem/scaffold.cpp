#include <memory>

#include <GraphMol/ChemTransforms/ChemTransforms.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "chem/murcko.h"

namespace headroom::chem {

Scaffold murcko_scaffold_of(const RDKit::ROMol& molecule) {
  if (molecule.getRingInfo()->isInitialized() && molecule.getRingInfo()->numRings() == 0) {
    return {};  // the decomposition would compare all pairs of atoms first, which takes the cube of their
                // number
  }
  const std::unique_ptr<RDKit::ROMol> scaffold(RDKit::MurckoDecompose(molecule));
  scaffold->clearComputedProps();
  scaffold->updatePropertyCache();
  RDKit::MolOps::symmetrizeSSSR(*scaffold);
  constexpr bool with_chirality = false;
  return {RDKit::MolToSmiles(*scaffold, with_chirality), scaffold->getNumAtoms()};
}

}  // namespace headroom::chem
