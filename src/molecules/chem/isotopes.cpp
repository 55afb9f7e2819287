#include "molecules/chem/isotopes.h"

#include <GraphMol/MolOps.h>

namespace molgauge::chem {
namespace {

/// Clears the stereochemistry of double bonds to an atom with two hydrogens, such as [2H]/C=C/F. RDKit would
/// otherwise keep the hydrogen that shows the configuration.
void clear_stereo_of_methylenes(RDKit::RWMol& molecule) {
  for (RDKit::Bond* const bond : molecule.bonds()) {
    if (bond->getBondType() != RDKit::Bond::DOUBLE || bond->getStereo() == RDKit::Bond::STEREONONE) {
      continue;
    }
    constexpr bool with_neighbours = true;
    const bool is_methylene = bond->getBeginAtom()->getTotalNumHs(with_neighbours) > 1 ||
                              bond->getEndAtom()->getTotalNumHs(with_neighbours) > 1;
    if (!is_methylene) {
      continue;
    }
    bond->setStereo(RDKit::Bond::STEREONONE);
    bond->getStereoAtoms().clear();
    for (const RDKit::Atom* const end : {bond->getBeginAtom(), bond->getEndAtom()}) {
      for (RDKit::Bond* const beside : molecule.atomBonds(end)) {
        if (beside->getOtherAtom(end)->getAtomicNum() == 1) {
          beside->setBondDir(RDKit::Bond::NONE);
        }
      }
    }
  }
}

}  // namespace

bool has_isotopes(const RDKit::ROMol& molecule) {
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    if (atom->getIsotope() != 0) {
      return true;
    }
  }
  return false;
}

void remove_isotopes(RDKit::RWMol& molecule) {
  for (RDKit::Atom* const atom : molecule.atoms()) {
    atom->setIsotope(0);
  }
  clear_stereo_of_methylenes(molecule);
  RDKit::MolOps::removeHs(molecule);
  constexpr bool clean = true, force = true;
  RDKit::MolOps::assignStereochemistry(molecule, clean, force);
}

}  // namespace molgauge::chem
