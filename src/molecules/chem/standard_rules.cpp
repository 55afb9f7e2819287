#include "molecules/chem/standard_rules.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <GraphMol/MolOps.h>

#include "molecules/chem/standard_form.h"

namespace molgauge::chem {
namespace {

constexpr std::array kNonMetals = {1, 5, 6, 7, 8, 9, 14, 15, 16, 17, 34, 35, 53};
constexpr std::array kSaltMetals = {3, 11, 19, 37, 55, 12, 20, 38, 56, 13, 30, 47, 83};
/// The first kAlkaliMetals elements of kSaltMetals are the alkali and alkaline earth metals.
constexpr std::size_t kAlkaliMetals = 9;

template <typename Holds>
bool any_atom(const RDKit::ROMol& molecule, const Holds& holds) {
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    if (holds(*atom)) {
      return true;
    }
  }
  return false;
}

bool is_non_metal(const RDKit::Atom& atom) {
  return std::find(kNonMetals.begin(), kNonMetals.end(), atom.getAtomicNum()) != kNonMetals.end();
}

Metals metal_of(const RDKit::ROMol& molecule, const RDKit::Atom& atom) {
  const auto found = std::find(kSaltMetals.begin(), kSaltMetals.end(), atom.getAtomicNum());
  if (found == kSaltMetals.end()) {
    return Metals::complex;
  }
  if (atom.getDegree() == 0) {
    return Metals::ions;
  }
  if (found - kSaltMetals.begin() >= static_cast<std::ptrdiff_t>(kAlkaliMetals)) {
    return Metals::complex;
  }
  for (const RDKit::Atom* const neighbour : molecule.atomNeighbors(&atom)) {
    if (neighbour->getAtomicNum() != 8 && neighbour->getAtomicNum() != 9) {
      return Metals::complex;
    }
  }
  return Metals::bonded_to_oxygen;
}

/// Whether an atom belongs to a nitro group that is drawn with charges: [N+](=O)[O-].
bool is_in_nitro_group(const RDKit::ROMol& molecule, const RDKit::Atom& atom) {
  if (atom.getAtomicNum() == 8 && atom.getDegree() == 1) {
    const RDKit::Atom& neighbour = **molecule.atomNeighbors(&atom).begin();
    return neighbour.getAtomicNum() == 7 && is_in_nitro_group(molecule, neighbour);
  }
  if (atom.getAtomicNum() != 7 || atom.getFormalCharge() != 1 || atom.getDegree() != 3) {
    return false;
  }
  bool has_double = false, has_charged = false;
  for (const RDKit::Bond* const bond : molecule.atomBonds(&atom)) {
    const RDKit::Atom& other = *bond->getOtherAtom(&atom);
    if (other.getAtomicNum() != 8 || other.getDegree() != 1) {
      continue;
    }
    has_double |= bond->getBondType() == RDKit::Bond::DOUBLE && other.getFormalCharge() == 0;
    has_charged |= bond->getBondType() == RDKit::Bond::SINGLE && other.getFormalCharge() == -1;
  }
  return has_double && has_charged;
}

bool is_chalcogen(const RDKit::Atom& atom) {
  const int element = atom.getAtomicNum();
  return element == 8 || element == 16 || element == 34 || element == 52;
}

/// Whether an atom is a neutral sulfur atom with four neighbours, as in sulfones and sulfonamides.
bool is_sulfonyl(const RDKit::Atom& atom) {
  return atom.getAtomicNum() == 16 && atom.getFormalCharge() == 0 && atom.getDegree() == 4;
}

/// Whether a bond may belong to a group that the Normalizer of RDKit changes: N#N of an azide or a diazo
/// group, N=O, S=O and similar. Double bonds in rings and in neutral sulfonyl groups do not belong to such
/// groups.
bool may_be_in_changed_group(const RDKit::ROMol& molecule, const RDKit::Bond& bond) {
  const RDKit::Atom &one = *bond.getBeginAtom(), &other = *bond.getEndAtom();
  if (one.getAtomicNum() == 6 || other.getAtomicNum() == 6) {
    return false;
  }
  switch (bond.getBondType()) {
    case RDKit::Bond::SINGLE:
    case RDKit::Bond::AROMATIC:
      return false;
    case RDKit::Bond::DOUBLE: {
      const RDKit::RingInfo& rings = *molecule.getRingInfo();
      const bool is_in_ring = rings.isInitialized() && rings.numBondRings(bond.getIdx()) > 0;
      return !is_in_ring && (is_chalcogen(one) || is_chalcogen(other)) && !is_sulfonyl(one) &&
             !is_sulfonyl(other) && !(is_in_nitro_group(molecule, one) && is_in_nitro_group(molecule, other));
    }
    default:
      return true;
  }
}

}  // namespace

Metals metals_of(const RDKit::ROMol& molecule) {
  Metals most = Metals::none;
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    if (!is_non_metal(*atom)) {
      most = std::max(most, metal_of(molecule, *atom));
    }
  }
  return most;
}

bool has_charge(const RDKit::ROMol& molecule) {
  return any_atom(molecule, [&](const RDKit::Atom& atom) {
    return atom.getFormalCharge() != 0 && !is_in_nitro_group(molecule, atom);
  });
}

bool may_be_normalised(const RDKit::ROMol& molecule) {
  if (has_charge(molecule)) {
    return true;
  }
  for (const RDKit::Bond* const bond : molecule.bonds()) {
    if (may_be_in_changed_group(molecule, *bond)) {
      return true;
    }
  }
  return false;
}

bool has_carbon(const RDKit::ROMol& molecule) {
  return any_atom(molecule, [](const RDKit::Atom& atom) { return atom.getAtomicNum() == 6; });
}

std::size_t unpaired_electrons(const RDKit::ROMol& molecule) {
  std::size_t electrons = 0;
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    electrons += is_non_metal(*atom) ? atom->getNumRadicalElectrons() : 0;
  }
  return electrons;
}

bool is_connected(const RDKit::ROMol& molecule) {
  std::vector<int> fragment_of;
  return RDKit::MolOps::getMolFrags(molecule, fragment_of) <= 1;
}

bool is_plainly_standard(const RDKit::ROMol& molecule) {
  return metals_of(molecule) == Metals::none && !may_be_normalised(molecule) && is_connected(molecule);
}

}  // namespace molgauge::chem
