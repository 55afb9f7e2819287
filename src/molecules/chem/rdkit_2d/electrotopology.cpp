#include "molecules/chem/rdkit_2d/electrotopology.h"

#include <algorithm>
#include <array>

#include <GraphMol/Chirality.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/PeriodicTable.h>
#include <GraphMol/RWMol.h>

namespace molgauge::chem::rdkit_2d {
namespace {

/// The row of an element in the periodic table.
int principal_quantum_number(int element) {
  constexpr std::array kLastOfRow = {2, 10, 18, 36, 54, 86};
  return 1 + static_cast<int>(std::lower_bound(kLastOfRow.begin(), kLastOfRow.end(), element) -
                              kLastOfRow.begin());
}

double intrinsic_state(const RDKit::Atom& atom) {
  if (atom.getDegree() == 0) {
    return 0;
  }
  const int element = atom.getAtomicNum(), row = principal_quantum_number(element);
  const int electrons =
      RDKit::PeriodicTable::getTable()->getNouterElecs(element) - static_cast<int>(atom.getTotalNumHs());
  return (4.0 / (row * row) * electrons + 1) / atom.getDegree();
}

/// Whether each atom is a tetrahedral stereocentre or part of a double bond with cis and trans forms,
/// specified or not.
std::vector<bool> stereo_atoms(const RDKit::ROMol& molecule) {
  RDKit::RWMol copy(molecule);
  RDKit::MolOps::findPotentialStereoBonds(copy);
  std::vector<bool> stereo(copy.getNumAtoms());
  for (const RDKit::Bond* const bond : copy.bonds()) {
    if (bond->getBondType() == RDKit::Bond::DOUBLE && bond->getStereo() != RDKit::Bond::STEREONONE) {
      stereo[bond->getBeginAtomIdx()] = stereo[bond->getEndAtomIdx()] = true;
    }
  }
  constexpr bool clean = false, flag_possible = true;
  for (const auto& centre : RDKit::Chirality::findPotentialStereo(copy, clean, flag_possible)) {
    if (centre.type == RDKit::Chirality::StereoType::Atom_Tetrahedral) {
      stereo[centre.centeredOn] = true;
    }
  }
  return stereo;
}

double hybridisation_score(const RDKit::Atom& atom) {
  switch (atom.getHybridization()) {
    case RDKit::Atom::SP:
      return 1;
    case RDKit::Atom::SP2:
      return 2;
    case RDKit::Atom::SP3:
      return 3;
    default:
      return 4;
  }
}

}  // namespace

std::vector<double> e_state_indices(const RDKit::ROMol& molecule) {
  constexpr double kFarthest = 1e6;  // atoms of another part have a larger distance
  const std::size_t atoms = molecule.getNumAtoms();
  std::vector<double> intrinsic, indices(atoms);
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    intrinsic.push_back(intrinsic_state(*atom));
  }
  const double* const distances = RDKit::MolOps::getDistanceMat(molecule);
  for (std::size_t i = 0; i < atoms; ++i) {
    for (std::size_t j = i + 1; j < atoms; ++j) {
      const double distance = distances[i * atoms + j] + 1;
      if (distance < kFarthest) {
        const double difference = (intrinsic[i] - intrinsic[j]) / (distance * distance);
        indices[i] += difference;
        indices[j] -= difference;
      }
    }
  }
  for (std::size_t i = 0; i < atoms; ++i) {
    indices[i] += intrinsic[i];
  }
  return indices;
}

std::vector<double> binned_sums(const std::vector<double>& keys, const std::vector<double>& values,
                                const std::vector<double>& limits) {
  std::vector<double> sums(limits.size() + 1);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    sums[static_cast<std::size_t>(std::upper_bound(limits.begin(), limits.end(), keys[i]) -
                                  limits.begin())] += values[i];
  }
  return sums;
}

const std::vector<double>& e_state_limits() {
  static const std::vector<double> limits = {-0.390, 0.290, 0.717, 1.165, 1.540,
                                             1.807,  2.05,  4.69,  9.17,  15.0};
  return limits;
}

const std::vector<double>& surface_limits() {
  static const std::vector<double> limits = {4.78, 5.00, 5.410, 5.740, 6.00, 6.07, 6.45, 7.00, 11.0};
  return limits;
}

double spacial_score(const RDKit::ROMol& molecule) {
  if (molecule.getNumHeavyAtoms() == 0) {
    return 0;
  }
  const std::vector<bool> stereo = stereo_atoms(molecule);
  double score = 0;
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    const bool is_in_ring = molecule.getRingInfo()->numAtomRings(atom->getIdx()) > 0;
    score += hybridisation_score(*atom) * (stereo[atom->getIdx()] ? 2 : 1) *
             (is_in_ring && !atom->getIsAromatic() ? 2 : 1) * (atom->getDegree() * atom->getDegree());
  }
  return score / molecule.getNumHeavyAtoms();
}

}  // namespace molgauge::chem::rdkit_2d
