#include "molecules/chem/conformers/fast/embedding_terms.h"

#include <algorithm>

#include <DistGeom/BoundsMatrix.h>
#include <GraphMol/DistGeomHelpers/BoundsMatrixBuilder.h>
#include <GraphMol/ForceFieldHelpers/CrystalFF/TorsionPreferences.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/ROMol.h>

namespace molgauge::chem::fast {
namespace {

/// Version of the torsion preferences, as in embedding.cpp.
constexpr unsigned kPreferences = 1;

using Details = ForceFields::CrystalFF::CrystalFFDetails;

/// Smooths the limits by triangle inequalities. Returns whether each lower limit is below its upper limit.
bool smooth_limits(const DistGeom::BoundsMatrix& limits, EmbeddingTerms& terms) {
  const PairShape shape(terms.atoms);
  terms.lower.assign(shape.atoms * shape.square, 0);
  terms.upper.assign(shape.atoms * shape.square, 0);
  for (unsigned i = 1; i < shape.atoms; ++i) {
    for (unsigned j = 0; j < i; ++j) {
      terms.lower[i * shape.square + j] = terms.lower[j * shape.square + i] = limits.getVal(i, j);
      terms.upper[i * shape.square + j] = terms.upper[j * shape.square + i] = limits.getVal(j, i);
    }
  }
  kernels().smooth(shape, terms.lower.data(), terms.upper.data());
  for (std::size_t i = 1; i < shape.atoms; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (terms.lower[i * shape.square + j] > terms.upper[i * shape.square + j]) {
        return false;
      }
    }
  }
  return true;
}

bool set_limits(const RDKit::ROMol& molecule, Details& details, EmbeddingTerms& terms) {
  const DistGeom::BoundsMatPtr limits(new DistGeom::BoundsMatrix(molecule.getNumAtoms()));
  RDKit::DGeomHelpers::initBoundsMat(limits);
  RDKit::DGeomHelpers::setTopolBounds(molecule, limits, details.bonds, details.angles);
  if (smooth_limits(*limits, terms)) {
    return true;
  }
  // As RDKit does: without limits of 1-5 distances, and with smaller van der Waals radii.
  constexpr bool limits_15 = false, scaled_radii = true;
  RDKit::DGeomHelpers::initBoundsMat(limits);
  RDKit::DGeomHelpers::setTopolBounds(molecule, limits, limits_15, scaled_radii);
  return smooth_limits(*limits, terms);
}

/// Multiplies out V1 (1 + s1 cos(phi)) + ... + V6 (1 + s6 cos(6 phi)) with Chebyshev polynomials.
std::array<double, 7> polynomial(const std::vector<int>& signs, const std::vector<double>& heights) {
  constexpr double kChebyshev[6][7] = {{0, 1, 0, 0, 0, 0, 0},    {-1, 0, 2, 0, 0, 0, 0},
                                       {0, -3, 0, 4, 0, 0, 0},   {1, 0, -8, 0, 8, 0, 0},
                                       {0, 5, 0, -20, 0, 16, 0}, {-1, 0, 18, 0, -48, 0, 32}};
  std::array<double, 7> coefficients{};
  for (std::size_t m = 0; m < 6; ++m) {
    coefficients[0] += heights[m];
    for (std::size_t power = 0; power < coefficients.size(); ++power) {
      coefficients[power] += heights[m] * signs[m] * kChebyshev[m][power];
    }
  }
  return coefficients;
}

void add_preferences(const Details& details, EmbeddingTerms& terms) {
  for (std::size_t t = 0; t < details.expTorsionAtoms.size(); ++t) {
    const auto& atoms = details.expTorsionAtoms[t];
    const auto& [signs, heights] = details.expTorsionAngles[t];
    terms.torsions.add({atoms[0], atoms[1], atoms[2], atoms[3]}, polynomial(signs, heights));
  }
  terms.torsions.pad();
  // The inversion term of UFF for sp2 atoms (Rappe et al. 1992, DOI 10.1021/ja00051a040), times ten, as in
  // ETKDG.
  constexpr double kCarbonyl = 10 * 50.0 / 3, kOther = 10 * 6.0 / 3;
  for (const auto& atoms : details.improperAtoms) {
    const std::int32_t centre = atoms[1], a = atoms[0], b = atoms[2], c = atoms[3];
    const std::array<double, 1> stiffness{atoms[5] != 0 ? kCarbonyl : kOther};
    terms.inversions.add({a, centre, b, c}, stiffness);
    terms.inversions.add({a, centre, c, b}, stiffness);
    terms.inversions.add({b, centre, c, a}, stiffness);
  }
  terms.planar_centres = details.improperAtoms.size();
  terms.inversions.pad();
  for (const auto& [i, j] : details.bonds) {
    terms.bonds.push_back({i, j});
  }
  for (const auto& angle : details.angles) {
    (angle[3] != 0 ? terms.straight_angles : terms.angles).push_back({angle[0], angle[1], angle[2]});
  }
}

bool is_in_tetrahedral_check(const RDKit::ROMol& molecule, const RDKit::Atom& atom) {
  const RDKit::RingInfo& rings = *molecule.getRingInfo();
  return rings.numAtomRings(atom.getIdx()) >= 2 && !rings.isAtomInRingOfSize(atom.getIdx(), 3);
}

void add_chirality(const RDKit::ROMol& molecule, EmbeddingTerms& terms) {
  constexpr double kLeastVolume = 5, kGreatestVolume = 100;
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    const auto tag = atom->getChiralTag();
    const bool is_clockwise = tag == RDKit::Atom::CHI_TETRAHEDRAL_CW,
               is_counterclockwise = tag == RDKit::Atom::CHI_TETRAHEDRAL_CCW;
    const int element = atom->getAtomicNum();
    const bool may_be_checked = (element == 6 || element == 7) && atom->getDegree() == 4;
    if (element == 1 || (!is_clockwise && !is_counterclockwise && !may_be_checked)) {
      continue;
    }
    std::vector<std::int32_t> neighbours;
    for (const RDKit::Bond* const bond : molecule.atomBonds(atom)) {
      neighbours.push_back(atom_index(bond->getOtherAtomIdx(atom->getIdx())));
    }
    if (neighbours.size() < 3) {
      continue;
    }
    neighbours.push_back(atom_index(atom->getIdx()));
    ChiralSet set{.centre = atom_index(atom->getIdx())};
    std::copy_n(neighbours.begin(), 4, set.neighbours.begin());
    if (is_clockwise || is_counterclockwise) {
      set.least_volume = is_counterclockwise ? kLeastVolume : -kGreatestVolume;
      set.greatest_volume = is_counterclockwise ? kGreatestVolume : -kLeastVolume;
      terms.chiral.push_back(set);
    } else if (is_in_tetrahedral_check(molecule, *atom)) {
      terms.tetrahedral.push_back(set);
    }
  }
}

}  // namespace

std::vector<DoubleBond> stereo_double_bonds(const RDKit::ROMol& molecule) {
  std::vector<DoubleBond> bonds;
  for (const RDKit::Bond* const bond : molecule.bonds()) {
    const auto stereo = bond->getStereo();
    if (stereo <= RDKit::Bond::STEREOANY || bond->getStereoAtoms().size() != 2) {
      continue;
    }
    const bool is_cis = stereo == RDKit::Bond::STEREOZ || stereo == RDKit::Bond::STEREOCIS;
    bonds.push_back({.a = bond->getStereoAtoms()[0],
                     .b = atom_index(bond->getBeginAtomIdx()),
                     .c = atom_index(bond->getEndAtomIdx()),
                     .d = bond->getStereoAtoms()[1],
                     .is_cis = is_cis});
  }
  return bonds;
}

std::optional<EmbeddingTerms> embedding_terms(RDKit::ROMol& molecule) {
  EmbeddingTerms terms;
  terms.atoms = molecule.getNumAtoms();
  Details details;
  constexpr bool preferences = true, small_rings = false, macrocycles = false, basic_knowledge = true;
  ForceFields::CrystalFF::getExperimentalTorsions(molecule, details, preferences, small_rings, macrocycles,
                                                  basic_knowledge, kPreferences);
  if (!set_limits(molecule, details, terms)) {
    return std::nullopt;
  }
  RDKit::MolOps::assignStereochemistry(molecule);
  add_preferences(details, terms);
  add_chirality(molecule, terms);
  terms.double_bonds = stereo_double_bonds(molecule);
  return terms;
}

}  // namespace molgauge::chem::fast
