#include "molecules/chem/identity_form.h"

#include <algorithm>

#include <GraphMol/MolOps.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <GraphMol/StereoGroup.h>

namespace molgauge::chem {
namespace {

bool open_relative_centres(RDKit::RWMol& molecule) {
  bool any = false;
  for (const RDKit::StereoGroup& group : molecule.getStereoGroups()) {
    if (group.getGroupType() == RDKit::StereoGroupType::STEREO_ABSOLUTE) {
      continue;
    }
    for (RDKit::Atom* const atom : group.getAtoms()) {
      atom->setChiralTag(RDKit::Atom::CHI_UNSPECIFIED);
      any = true;
    }
  }
  return any;
}

}  // namespace

void bring_to_identity_form(RDKit::RWMol& molecule) {
  const bool had_groups = open_relative_centres(molecule);
  if (!molecule.getStereoGroups().empty()) {
    molecule.setStereoGroups({});
  }
  if (had_groups) {  // other stereocentres may depend on the removed stereocentres
    constexpr bool clean = true, force = true;
    RDKit::MolOps::assignStereochemistry(molecule, clean, force);
  }
}

void remove_stereochemistry(RDKit::RWMol& molecule) {
  RDKit::MolOps::removeStereochemistry(molecule);
  RDKit::MolOps::removeHs(molecule);
}

std::string flat_smiles(const RDKit::ROMol& molecule, const std::string& smiles) {
  if (smiles.find_first_of("@/\\") == std::string::npos) {
    return smiles;
  }
  RDKit::RWMol flat(molecule);
  remove_stereochemistry(flat);
  return RDKit::MolToSmiles(flat);
}

}  // namespace molgauge::chem
