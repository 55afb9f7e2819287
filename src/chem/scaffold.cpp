#include <memory>
#include <vector>

#include <GraphMol/ChemTransforms/ChemTransforms.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "chem/murcko.h"

namespace headroom::chem {
namespace {

/// RDKit's decomposition compares all pairs of atoms, which takes the cube of their number. From this number
/// on, side chains are cut short first.
constexpr unsigned kManyAtoms = 200;
/// Atoms of a side chain that stay: the decomposition looks at the neighbours of the scaffold and at their
/// bonds.
constexpr int kAtomsThatStay = 2;

/// How many bonds each atom is away from the rings and the linkers between them. Only up to kAtomsThatStay
/// + 1.
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
  // Ends are taken off until none is left. What then remains are rings and linkers.
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
