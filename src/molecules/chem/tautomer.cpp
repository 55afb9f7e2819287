#include "molecules/chem/tautomer.h"

#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include <GraphMol/Chirality.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>

#include "molecules/chem/atom_numbers.h"
#include "molecules/chem/identity_form.h"
#include "molecules/chem/rdkit_reader.h"

namespace molgauge::chem {
namespace {

/// Copies stereochemistry from a molecule to its tautomer.
class StereoTransfer {
 public:
  /// `origins`: for each atom of `to`, the index of the same atom in `from`.
  StereoTransfer(const RDKit::ROMol& from, const std::vector<std::uint32_t>& origins, RDKit::ROMol& to)
      : from_(from), origins_(origins), to_(to) {
    for (unsigned atom = 0; atom < origins.size(); ++atom) {
      places_.emplace(origins[atom], atom);
    }
  }

  void copy_centre(unsigned atom) {
    const RDKit::Atom& origin = *from_.getAtomWithIdx(origins_[atom]);
    const RDKit::Atom::ChiralType tag = origin.getChiralTag();
    if (tag != RDKit::Atom::CHI_TETRAHEDRAL_CW && tag != RDKit::Atom::CHI_TETRAHEDRAL_CCW) {
      return;
    }
    std::list<int> bonds;  // the bonds of `atom` in the order in which `from` has them
    for (const RDKit::Bond* const bond : from_.atomBonds(&origin)) {
      const RDKit::Bond* const own = bond_between(atom, bond->getOtherAtomIdx(origin.getIdx()));
      if (own == nullptr) {
        return;
      }
      bonds.push_back(static_cast<int>(own->getIdx()));
    }
    RDKit::Atom& own = *to_.getAtomWithIdx(atom);
    if (bonds.size() != own.getDegree()) {
      return;
    }
    own.setChiralTag(tag);
    if (own.getPerturbationOrder(bonds) % 2 != 0) {
      own.invertChirality();
    }
  }

  void copy_double_bond(RDKit::Bond& own) {
    const RDKit::Bond* const origin =
        from_.getBondBetweenAtoms(origins_[own.getBeginAtomIdx()], origins_[own.getEndAtomIdx()]);
    if (own.getBondType() != RDKit::Bond::DOUBLE || origin == nullptr ||
        origin->getStereo() <= RDKit::Bond::STEREOANY || origin->getStereoAtoms().size() != 2) {
      return;
    }
    const auto first = places_.find(static_cast<std::uint32_t>(origin->getStereoAtoms()[0])),
               second = places_.find(static_cast<std::uint32_t>(origin->getStereoAtoms()[1]));
    if (first == places_.end() || second == places_.end()) {
      return;
    }
    const bool is_begin = origins_[own.getBeginAtomIdx()] == origin->getBeginAtomIdx();
    own.setStereoAtoms(is_begin ? first->second : second->second, is_begin ? second->second : first->second);
    // E and Z depend on priorities of the substituents, which another tautomer may change.
    own.setStereo(RDKit::Chirality::translateEZLabelToCisTrans(origin->getStereo()));
  }

 private:
  const RDKit::Bond* bond_between(unsigned atom, unsigned origin_of_other) const {
    const auto other = places_.find(origin_of_other);
    return other == places_.end() ? nullptr : to_.getBondBetweenAtoms(atom, other->second);
  }

  const RDKit::ROMol& from_;
  const std::vector<std::uint32_t>& origins_;
  RDKit::ROMol& to_;
  std::unordered_map<std::uint32_t, unsigned> places_;
};

}  // namespace

std::unique_ptr<RDKit::ROMol> canonical_tautomer(
    const RDKit::ROMol& molecule, const RDKit::MolStandardize::TautomerEnumerator& enumerator) {
  RDKit::RWMol flat(molecule);
  number_atoms(flat);
  remove_stereochemistry(flat);
  // The enumeration depends on the order of the atoms, so it starts from the canonical SMILES.
  const std::unique_ptr<RDKit::RWMol> start = parse_smiles(RDKit::MolToSmiles(flat));
  const std::vector<std::uint32_t> origins = numbers_in_smiles_order(flat);
  if (start == nullptr || origins.size() != start->getNumAtoms()) {
    return nullptr;
  }
  const auto tautomers = enumerator.enumerate(*start);
  if (tautomers.empty()) {
    return nullptr;
  }
  std::unique_ptr<RDKit::ROMol> tautomer(enumerator.pickCanonical(tautomers));
  if (tautomer->getNumAtoms() != origins.size()) {
    return nullptr;
  }
  StereoTransfer transfer(molecule, origins, *tautomer);
  for (unsigned atom = 0; atom < tautomer->getNumAtoms(); ++atom) {
    if (!tautomers.modifiedAtoms().test(atom)) {
      transfer.copy_centre(atom);
    }
  }
  for (RDKit::Bond* const bond : tautomer->bonds()) {
    if (!tautomers.modifiedBonds().test(bond->getIdx())) {
      transfer.copy_double_bond(*bond);
    }
  }
  number_atoms(*tautomer, origins);
  return tautomer;
}

}  // namespace molgauge::chem
