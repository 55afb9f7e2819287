#include "molecules/chem/identity.h"

#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <RDGeneral/versions.h>

#include "molecules/chem/identity_form.h"
#include "molecules/chem/murcko.h"
#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"

namespace molgauge::chem {

std::string identity_scheme() { return std::string("canonical SMILES of RDKit ") + RDKit::rdkitVersion; }

Identity identify(const MoleculeRecord& record, bool with_scaffold) {
  const auto molecule = read_molecule(record);
  return with_rdkit([&] {
    bring_to_identity_form(*molecule);
    Identity identity;
    if (with_scaffold) {
      identity.scaffold = murcko_scaffold_of(*molecule);
    }
    identity.canonical_smiles = RDKit::MolToSmiles(*molecule);
    identity.atoms = molecule->getNumAtoms();
    identity.bonds = molecule->getNumBonds();
    return identity;
  });
}

}  // namespace molgauge::chem
