#include "molecules/chem/parts.h"

#include <algorithm>
#include <memory>

#include <GraphMol/ChemTransforms/MolFragmenter.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>

#include "molecules/chem/rdkit_call.h"
#include "molecules/chem/rdkit_reader.h"

namespace molgauge::chem {

std::vector<std::vector<std::uint32_t>> brics_parts(const MoleculeRecord& record) {
  const auto molecule = read_molecule(record);
  return with_rdkit([&] {
    const std::unique_ptr<RDKit::ROMol> cut(RDKit::MolFragmenter::fragmentOnBRICSBonds(*molecule));
    std::vector<int> part_of;
    const unsigned count = RDKit::MolOps::getMolFrags(*cut, part_of);
    std::vector<std::vector<std::uint32_t>> parts(count);
    // The atoms of the molecule come first, and then the dummy atoms at the cuts.
    for (std::uint32_t atom = 0; atom < molecule->getNumAtoms(); ++atom) {
      parts[static_cast<std::size_t>(part_of[atom])].push_back(atom);
    }
    return parts;
  });
}

}  // namespace molgauge::chem
