#include "pockets/amber/prmtop.h"

#include <array>
#include <set>

#include <fmt/format.h>

#include "pockets/amber/prmtop_sections.h"
#include "pockets/topology/elements.h"

namespace molgauge::pocket {
namespace {

/// AMBER stores charges in units of sqrt(kcal A / mol).
constexpr double kChargeUnit = 18.2223;
constexpr int kHeaviest = 118;
/// Maximum number of atoms, terms or types. With this limit, products of two numbers in POINTERS fit 64 bits.
constexpr std::int64_t kMax = 1'000'000'000;

/// Positions of numbers in the section POINTERS.
enum Pointer : std::size_t {
  kAtoms = 0,
  kTypes = 1,
  kBondsWithHydrogen = 2,
  kAnglesWithHydrogen = 4,
  kDihedralsWithHydrogen = 6,
  kBondsWithout = 12,
  kAnglesWithout = 13,
  kDihedralsWithout = 14,
  kBondKinds = 15,
  kAngleKinds = 16,
  kDihedralKinds = 17,
  kHydrogenBondKinds = 19,
  kPointers = 30
};

class PrmtopReader {
 public:
  explicit PrmtopReader(const std::string& file) : sections_(file) {}

  Topology read() {
    refuse_other_force_fields();
    const std::vector<std::int64_t> pointers = sections_.integers_from("POINTERS", kPointers);
    for (std::size_t i = 0; i < kPointers; ++i) {
      if (pointers[i] < 0 || pointers[i] > kMax) {
        sections_.fail("POINTERS", fmt::format("value {} is {}", i + 1, pointers[i]));
      }
      pointers_[i] = static_cast<std::size_t>(pointers[i]);
    }
    if (pointers_[kAtoms] == 0) {
      sections_.fail("POINTERS", "there are no atoms");
    }
    read_atoms();
    read_pairs();
    read_bonds();
    read_angles();
    read_dihedrals();
    return std::move(topology_);
  }

 private:
  /// Topologies of the force fields CHARMM and AMOEBA have terms that the graph cannot represent.
  void refuse_other_force_fields() const {
    for (const char* flag :
         {"CTITLE", "FORCE_FIELD_TYPE", "CHARMM_UREY_BRADLEY_COUNT", "CHARMM_NUM_IMPROPERS"}) {
      if (sections_.has(flag)) {
        sections_.fail(flag,
                       "a topology of CHAMBER, with CHARMM's force field. Give one with AMBER's force field");
      }
    }
    if (sections_.has("AMOEBA_FORCEFIELD")) {
      sections_.fail("AMOEBA_FORCEFIELD",
                     "a topology of the AMOEBA force field. Give one with AMBER's force field");
    }
  }

  void read_atoms() {
    const std::size_t atoms = pointers_[kAtoms];
    const std::vector<double> charges = sections_.numbers("CHARGE", atoms),
                              masses = sections_.numbers("MASS", atoms);
    const std::vector<std::int64_t> types = sections_.integers("ATOM_TYPE_INDEX", atoms);
    std::vector<std::int64_t> elements(atoms, -1);
    if (sections_.has("ATOMIC_NUMBER")) {
      elements = sections_.integers("ATOMIC_NUMBER", atoms);
    }
    topology_.atoms.resize(atoms);
    for (std::size_t i = 0; i < atoms; ++i) {
      if (types[i] < 1 || static_cast<std::size_t>(types[i]) > pointers_[kTypes]) {
        sections_.fail("ATOM_TYPE_INDEX", fmt::format("atom {} has the type {}, but there are {}", i + 1,
                                                      types[i], pointers_[kTypes]));
      }
      const bool has_element = elements[i] > 0 && elements[i] <= kHeaviest;
      topology_.atoms[i] = {
          .charge = charges[i] / kChargeUnit,
          .element = has_element ? static_cast<int>(elements[i]) : element_of_mass(masses[i]),
          .mass = masses[i],
          .type = static_cast<std::size_t>(types[i] - 1)};
    }
  }

  void read_pairs() {
    const std::size_t types = pointers_[kTypes];
    // `types` comes from POINTERS. This call throws unless the table of pairs has types * types entries,
    // which bounds the allocations below.
    const std::vector<std::int64_t> entries = sections_.integers("NONBONDED_PARM_INDEX", types * types);
    const std::size_t coefficients = types * (types + 1) / 2;
    const std::vector<double> a = sections_.numbers("LENNARD_JONES_ACOEF", coefficients),
                              b = sections_.numbers("LENNARD_JONES_BCOEF", coefficients);
    topology_.types = types;
    topology_.a.resize(types * types);
    topology_.b.resize(types * types);
    std::set<std::size_t> used;
    for (const TopologyAtom& atom : topology_.atoms) {
      used.insert(atom.type);
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const std::int64_t entry = entries[i];
      if (entry < 1) {
        if (used.contains(i / types) && used.contains(i % types)) {
          require_no_hydrogen_bond(i, entry);
        }
      } else if (static_cast<std::size_t>(entry) > coefficients) {
        sections_.fail("NONBONDED_PARM_INDEX", fmt::format("value {} is {}, but there are {} coefficients",
                                                           i + 1, entry, coefficients));
      } else {
        topology_.a[i] = a[static_cast<std::size_t>(entry) - 1];
        topology_.b[i] = b[static_cast<std::size_t>(entry) - 1];
        if (!(topology_.a[i] >= 0) || !(topology_.b[i] >= 0)) {
          sections_.fail("LENNARD_JONES_ACOEF",
                         fmt::format("coefficient {} or its partner in LENNARD_JONES_BCOEF "
                                     "is negative",
                                     entry));
        }
      }
    }
  }

  /// Throws if two atom types interact through a 10-12 potential. A potential with zero coefficients is
  /// accepted, because it has no energy.
  void require_no_hydrogen_bond(std::size_t pair, std::int64_t entry) const {
    const std::size_t kinds = pointers_[kHydrogenBondKinds],
                      kind = static_cast<std::size_t>(std::llabs(entry));
    bool has_energy = entry == 0 || kind > kinds;
    if (!has_energy) {
      has_energy = sections_.numbers("HBOND_ACOEF", kinds)[kind - 1] != 0 ||
                   sections_.numbers("HBOND_BCOEF", kinds)[kind - 1] != 0;
    }
    if (has_energy) {
      sections_.fail(
          "NONBONDED_PARM_INDEX",
          fmt::format("atom types {} and {} interact through a 10-12 potential, which graphs do not support",
                      pair / pointers_[kTypes] + 1, pair % pointers_[kTypes] + 1));
    }
  }

  /// Calls add(atoms, kind) for every term of two sections: the terms with hydrogen, then the terms without.
  /// In the file, a term consists of `places` atoms and the number of its parameters, counted from 1. An atom
  /// is stored as an index into the coordinates (3 times the atom index). Signs in dihedrals are ignored.
  template <std::size_t places>
  void for_terms(const std::string& name, std::size_t with_hydrogen, std::size_t without, std::size_t kinds,
                 const auto& add) const {
    for (const auto& [flag, count] :
         {std::pair(name + "_INC_HYDROGEN", with_hydrogen), std::pair(name + "_WITHOUT_HYDROGEN", without)}) {
      const std::vector<std::int64_t> fields = sections_.integers(flag, count * (places + 1));
      for (std::size_t term = 0; term < count; ++term) {
        AtomNumbers<places> atoms;
        for (std::size_t place = 0; place < places; ++place) {
          const std::int64_t field = fields[term * (places + 1) + place];
          atoms[place] = (places == 4 ? std::llabs(field) : field) / 3;
          if (field % 3 != 0 || atoms[place] < 0 ||
              static_cast<std::size_t>(atoms[place]) >= pointers_[kAtoms]) {
            sections_.fail(flag,
                           fmt::format("term {} has an atom that does not exist ({})", term + 1, field));
          }
        }
        const std::int64_t kind = fields[term * (places + 1) + places];
        if (kind < 1 || static_cast<std::size_t>(kind) > kinds) {
          sections_.fail(
              flag, fmt::format("term {} has the parameters {}, but there are {}", term + 1, kind, kinds));
        }
        add(atoms, static_cast<std::size_t>(kind) - 1);
      }
    }
  }

  void read_bonds() {
    const std::size_t kinds = pointers_[kBondKinds];
    const auto forces = sections_.numbers("BOND_FORCE_CONSTANT", kinds),
               lengths = sections_.numbers("BOND_EQUIL_VALUE", kinds);
    for_terms<2>("BONDS", pointers_[kBondsWithHydrogen], pointers_[kBondsWithout], kinds,
                 [&](const AtomNumbers<2>& atoms, std::size_t kind) {
                   topology_.bonds.push_back({atoms, lengths[kind], forces[kind]});
                 });
  }

  void read_angles() {
    const std::size_t kinds = pointers_[kAngleKinds];
    const auto forces = sections_.numbers("ANGLE_FORCE_CONSTANT", kinds),
               angles = sections_.numbers("ANGLE_EQUIL_VALUE", kinds);
    for_terms<3>("ANGLES", pointers_[kAnglesWithHydrogen], pointers_[kAnglesWithout], kinds,
                 [&](const AtomNumbers<3>& atoms, std::size_t kind) {
                   topology_.angles.push_back({atoms, angles[kind], forces[kind]});
                 });
  }

  void read_dihedrals() {
    const std::size_t kinds = pointers_[kDihedralKinds];
    const auto barriers = sections_.numbers("DIHEDRAL_FORCE_CONSTANT", kinds),
               periodicities = sections_.numbers("DIHEDRAL_PERIODICITY", kinds),
               phases = sections_.numbers("DIHEDRAL_PHASE", kinds);
    for_terms<4>("DIHEDRALS", pointers_[kDihedralsWithHydrogen], pointers_[kDihedralsWithout], kinds,
                 [&](const AtomNumbers<4>& atoms, std::size_t kind) {
                   topology_.dihedrals.push_back({atoms, barriers[kind], periodicities[kind], phases[kind]});
                 });
  }

  PrmtopSections sections_;
  std::array<std::size_t, kPointers> pointers_{};
  Topology topology_;
};

}  // namespace

Topology read_prmtop(const std::string& file) { return PrmtopReader(file).read(); }

}  // namespace molgauge::pocket
