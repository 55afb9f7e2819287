#include "molecules/chem/conformers/fast/force_field_terms.h"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <utility>

#include <ForceField/MMFF/Nonbonded.h>  // first, because the next header needs its headers
#include <GraphMol/ForceFieldHelpers/MMFF/AtomTyper.h>
#include <GraphMol/MolOps.h>
#include <GraphMol/ROMol.h>

namespace molgauge::chem::fast {
namespace {

using RDKit::MMFF::MMFFMolProperties;
namespace mmff = ForceFields::MMFF;

std::vector<std::vector<unsigned>> neighbours_of(const RDKit::ROMol& molecule) {
  std::vector<std::vector<unsigned>> neighbours(molecule.getNumAtoms());
  for (const RDKit::Atom* const atom : molecule.atoms()) {
    for (const RDKit::Bond* const bond : molecule.atomBonds(atom)) {
      neighbours[atom->getIdx()].push_back(bond->getOtherAtomIdx(atom->getIdx()));
    }
  }
  return neighbours;
}

class Builder {
 public:
  Builder(RDKit::ROMol& molecule, MMFFMolProperties& properties)
      : molecule_(molecule), properties_(properties), neighbours_(neighbours_of(molecule)) {}

  ForceFieldTerms build() {
    terms_.atoms = molecule_.getNumAtoms();
    add_bonds();
    for (unsigned centre = 0; centre < terms_.atoms; ++centre) {
      add_angles(centre);
      add_planes(centre);
    }
    for (const RDKit::Bond* const bond : molecule_.bonds()) {
      add_torsions(*bond);
    }
    terms_.bonds.pad();
    terms_.angles.pad();
    terms_.planes.pad();
    terms_.torsions.pad();
    add_pairs();
    return std::move(terms_);
  }

 private:
  void add_bonds() {
    for (const RDKit::Bond* const bond : molecule_.bonds()) {
      const unsigned i = bond->getBeginAtomIdx(), j = bond->getEndAtomIdx();
      unsigned type = 0;
      mmff::MMFFBond parameters;
      if (properties_.getMMFFBondStretchParams(molecule_, i, j, type, parameters)) {
        terms_.bonds.add({atom_index(i), atom_index(j)}, {parameters.r0, parameters.kb});
      }
    }
  }

  void add_angles(unsigned centre) {
    const auto& around = neighbours_[centre];
    const bool is_linear = is_linear_centre(centre);
    for (std::size_t first = 0; first < around.size(); ++first) {
      for (std::size_t second = first + 1; second < around.size(); ++second) {
        add_angle(around[first], centre, around[second], is_linear);
      }
    }
  }

  void add_angle(unsigned i, unsigned j, unsigned k, bool is_linear) {
    unsigned type = 0;
    mmff::MMFFAngle angle;
    if (!properties_.getMMFFAngleBendParams(molecule_, i, j, k, type, angle)) {
      return;
    }
    mmff::MMFFStbn stretch{};
    mmff::MMFFBond bonds[2] = {};
    mmff::MMFFAngle unused{};
    if (is_linear ||
        !properties_.getMMFFStretchBendParams(molecule_, i, j, k, type, stretch, bonds, unused)) {
      stretch.kbaIJK = stretch.kbaKJI = 0;
    }
    terms_.angles.add({atom_index(i), atom_index(j), atom_index(k)},
                      {angle.theta0, angle.ka, is_linear ? 1.0 : 0.0, bonds[0].r0, bonds[1].r0,
                       stretch.kbaIJK, stretch.kbaKJI});
  }

  void add_planes(unsigned centre) {
    const auto& around = neighbours_[centre];
    mmff::MMFFOop parameters;
    if (around.size() != 3 ||
        !properties_.getMMFFOopBendParams(molecule_, around[0], centre, around[1], around[2], parameters)) {
      return;
    }
    const std::int32_t a = atom_index(around[0]), b = atom_index(around[1]), c = atom_index(around[2]),
                       middle = atom_index(centre);
    const std::array<double, 1> stiffness{mmff::MDYNE_A_TO_KCAL_MOL * parameters.koop};
    terms_.planes.add({a, middle, b, c}, stiffness);
    terms_.planes.add({a, middle, c, b}, stiffness);
    terms_.planes.add({b, middle, c, a}, stiffness);
  }

  void add_torsions(const RDKit::Bond& bond) {
    const unsigned j = bond.getBeginAtomIdx(), k = bond.getEndAtomIdx();
    if (!may_turn(j) || !may_turn(k)) {
      return;
    }
    for (const unsigned i : neighbours_[j]) {
      for (const unsigned l : neighbours_[k]) {
        unsigned type = 0;
        mmff::MMFFTor parameters;
        if (i != k && l != j && i != l &&
            properties_.getMMFFTorsionParams(molecule_, i, j, k, l, type, parameters)) {
          // 0.5 (V1 (1 + cos) + V2 (1 - cos 2phi) + V3 (1 + cos 3phi))
          terms_.torsions.add({atom_index(i), atom_index(j), atom_index(k), atom_index(l)},
                              {0.5 * parameters.V1 + parameters.V2 + 0.5 * parameters.V3,
                               0.5 * parameters.V1 - 1.5 * parameters.V3, -parameters.V2, 2 * parameters.V3});
        }
      }
    }
  }

  /// Whether an atom is in torsions: sp2 or sp3, several neighbours and no triple bond.
  bool may_turn(unsigned index) const {
    const RDKit::Atom* const atom = molecule_.getAtomWithIdx(index);
    if (atom->getDegree() < 2 ||
        (atom->getHybridization() != RDKit::Atom::SP2 && atom->getHybridization() != RDKit::Atom::SP3)) {
      return false;
    }
    for (const RDKit::Bond* const bond : molecule_.atomBonds(atom)) {
      if (bond->getBondType() == RDKit::Bond::TRIPLE) {
        return false;
      }
    }
    return true;
  }

  bool is_linear_centre(unsigned index) {
    return (*RDKit::MMFF::DefaultParameters::getMMFFProp())(properties_.getMMFFAtomType(index))->linh > 0;
  }

  void add_pairs() {
    const PairShape shape(terms_.atoms);
    for (auto* const numbers : {&terms_.inverse_radius, &terms_.depth, &terms_.charges}) {
      numbers->assign(shape.atoms * shape.square, 0);
    }
    std::vector<int> fragments;
    RDKit::MolOps::getMolFrags(molecule_, fragments);
    const std::vector<std::uint8_t> apart = bonds_apart();
    for (unsigned i = 0; i < terms_.atoms; ++i) {
      for (unsigned j = 0; j < terms_.atoms; ++j) {
        const std::uint8_t bonds = apart[i * terms_.atoms + j];
        if (bonds >= 3 && fragments[i] == fragments[j]) {
          set_pair(i * shape.square + j, i, j, bonds == 3);
        }
      }
    }
  }

  void set_pair(std::size_t index, unsigned i, unsigned j, bool is_14) {
    constexpr double kCoulomb = 332.0716, kShare14 = 0.75;
    const auto& [inverse_radius, depth] = van_der_waals(i, j);
    terms_.inverse_radius[index] = inverse_radius;
    terms_.depth[index] = depth;
    terms_.charges[index] = static_cast<float>(kCoulomb * properties_.getMMFFPartialCharge(i) *
                                               properties_.getMMFFPartialCharge(j) * (is_14 ? kShare14 : 1));
  }

  /// 1 / R* and the depth of the well, which depend only on the atom types.
  const std::pair<float, float>& van_der_waals(unsigned i, unsigned j) {
    const std::pair<std::uint8_t, std::uint8_t> types =
        std::minmax({properties_.getMMFFAtomType(i), properties_.getMMFFAtomType(j)});
    const auto [found, is_new] = van_der_waals_.try_emplace(types);
    mmff::MMFFVdWRijstarEps parameters;
    if (is_new && properties_.getMMFFVdWParams(i, j, parameters)) {
      found->second = {static_cast<float>(1 / parameters.R_ij_star), static_cast<float>(parameters.epsilon)};
    }
    return found->second;
  }

  /// The number of bonds between each two atoms, at most 4. [atoms, atoms]
  std::vector<std::uint8_t> bonds_apart() const {
    constexpr std::uint8_t kFar = 4;
    std::vector<std::uint8_t> apart(terms_.atoms * terms_.atoms, kFar);
    for (unsigned i = 0; i < terms_.atoms; ++i) {
      std::vector<unsigned> shell{i};
      apart[i * terms_.atoms + i] = 0;
      for (std::uint8_t bonds = 1; bonds < kFar; ++bonds) {
        std::vector<unsigned> next;
        for (const unsigned inner : shell) {
          for (const unsigned outer : neighbours_[inner]) {
            if (std::uint8_t& own = apart[i * terms_.atoms + outer]; own == kFar) {
              own = bonds;
              next.push_back(outer);
            }
          }
        }
        shell = std::move(next);
      }
    }
    return apart;
  }

  RDKit::ROMol& molecule_;
  MMFFMolProperties& properties_;
  std::vector<std::vector<unsigned>> neighbours_;
  std::map<std::pair<std::uint8_t, std::uint8_t>, std::pair<float, float>> van_der_waals_;
  ForceFieldTerms terms_;
};

}  // namespace

std::optional<ForceFieldTerms> force_field_terms(RDKit::ROMol& molecule) {
  MMFFMolProperties properties(molecule, "MMFF94");
  if (!properties.isValid()) {
    return std::nullopt;
  }
  return Builder(molecule, properties).build();
}

}  // namespace molgauge::chem::fast
