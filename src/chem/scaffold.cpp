#include <memory>
#include <vector>

#include <GraphMol/ChemTransforms/ChemTransforms.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "chem/murcko.h"

namespace headroom::chem {
namespace {

/// The decomposition of RDKit compares all pairs of atoms, in cubic time. If a molecule has at least this
/// number of atoms, its side chains are therefore shortened first.
constexpr unsigned kManyAtoms = 200;
/// Number of atoms of a side chain that are kept. The decomposition depends on the neighbours of the scaffold
/// and on their bonds.
constexpr int kAtomsThatStay = 2;

/// The number of bonds between each atom and the nearest ring or linker. Capped at kAtomsThatStay + 1.
std::vector<int> distances_from_scaffold(const RDKit::ROMol& molecule) {
  std::vector<unsigned> degrees(molecule.getNumAtoms());
  std::vector<const RDKit::Atom*> ends;
  std::vector<int> distances(molecule.getNumAtoms(), 0);
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    degrees[atom->getIdx()] = atom->getDegree();
    if (atom->getDegree() <= 1) {
      ends.push_back(atom);
    }
  }
  // Removes terminal atoms until none is left. Rings and linkers remain.
  while (!ends.empty()) {
    const RDKit::Atom* const end = ends.back();
    ends.pop_back();
    distances[end->getIdx()] = kAtomsThatStay + 1;
    for (const RDKit::Atom* const neighbour : molecule.atomNeighbors(end)) {
      const unsigned index = neighbour->getIdx();
      if (distances[index] == 0 && --degrees[index] == 1) {
        ends.push_back(neighbour);
      }
    }
  }
  for (int distance = 1; distance <= kAtomsThatStay; ++distance) {
    for (const RDKit::Bond* const bond : molecule.bonds()) {
      int& begin = distances[bond->getBeginAtomIdx()];
      int& end = distances[bond->getEndAtomIdx()];
      if (begin == distance - 1 && end > distance) {
        end = distance;
      } else if (end == distance - 1 && begin > distance) {
        begin = distance;
      }
    }
  }
  return distances;
}

std::unique_ptr<RDKit::ROMol> with_short_side_chains(const RDKit::ROMol& molecule) {
  auto shortened = std::make_unique<RDKit::RWMol>(molecule);
  const std::vector<int> distances = distances_from_scaffold(molecule);
  shortened->beginBatchEdit();
  for (unsigned atom = 0; atom < distances.size(); ++atom) {
    if (distances[atom] > kAtomsThatStay) {
      shortened->removeAtom(atom);
    }
  }
  shortened->commitBatchEdit();
  RDKit::MolOps::symmetrizeSSSR(*shortened);
  return shortened;
}

}  // namespace

Scaffold murcko_scaffold_of(const RDKit::ROMol& molecule) {
  if (molecule.getRingInfo()->isInitialized() && molecule.getRingInfo()->numRings() == 0) {
    return {};
  }
  std::unique_ptr<RDKit::ROMol> shortened;
  if (molecule.getNumAtoms() >= kManyAtoms) {
    shortened = with_short_side_chains(molecule);
  }
  const std::unique_ptr<RDKit::ROMol> scaffold(RDKit::MurckoDecompose(shortened ? *shortened : molecule));
  scaffold->clearComputedProps();
  scaffold->updatePropertyCache();
  RDKit::MolOps::symmetrizeSSSR(*scaffold);
  constexpr bool with_chirality = false;
  return {RDKit::MolToSmiles(*scaffold, with_chirality), scaffold->getNumAtoms()};
}

}  // namespace headroom::chem
