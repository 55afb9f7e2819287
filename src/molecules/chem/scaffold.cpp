#include <memory>
#include <vector>

#include <GraphMol/ChemTransforms/ChemTransforms.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/RWMol.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "molecules/chem/murcko.h"

namespace molgauge::chem {
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

/// Removes the explicit number of hydrogens of an atom if RDKit would find the same number without it, as for
/// [CH2] in [CH2]=C1CCCC1. RDKit does not add hydrogens to an atom with an explicit number, so the scaffold
/// would depend on the drawing.
void leave_hydrogens_implicit(RDKit::Atom& atom) {
  if (!atom.getNoImplicit() || atom.getFormalCharge() != 0 || atom.getIsAromatic() ||
      atom.getNumRadicalElectrons() != 0) {
    return;
  }
  const unsigned hydrogens = atom.getTotalNumHs();
  const auto set = [&](bool is_explicit) {
    atom.setNoImplicit(is_explicit);
    atom.setNumExplicitHs(is_explicit ? hydrogens : 0);
    atom.updatePropertyCache(false);
  };
  set(false);
  if (atom.getTotalNumHs() != hydrogens) {
    set(true);
  }
}

}  // namespace

Scaffold murcko_scaffold_of(const RDKit::ROMol& molecule) {
  if (molecule.getRingInfo()->isInitialized() && molecule.getRingInfo()->numRings() == 0) {
    return {};
  }
  const auto decomposed = molecule.getNumAtoms() >= kManyAtoms ? with_short_side_chains(molecule)
                                                               : std::make_unique<RDKit::ROMol>(molecule);
  for (RDKit::Atom* const atom : decomposed->atoms()) {
    leave_hydrogens_implicit(*atom);
  }
  const std::unique_ptr<RDKit::ROMol> scaffold(RDKit::MurckoDecompose(*decomposed));
  scaffold->clearComputedProps();
  scaffold->updatePropertyCache();
  RDKit::MolOps::symmetrizeSSSR(*scaffold);
  constexpr bool with_chirality = false;
  return {RDKit::MolToSmiles(*scaffold, with_chirality), scaffold->getNumAtoms()};
}

}  // namespace molgauge::chem
