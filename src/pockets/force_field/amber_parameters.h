#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "pockets/force_field/force_field.h"

namespace molgauge::pocket {

/// Force-field parameters by atom types, from parameter files of AMBER. Files must be added in order. As in
/// tleap, if a later file has entries for a group of types, they replace all earlier entries for this group.
class AmberParameters {
 public:
  /// The atom types of a term. Equivalent orders of the types have the same key. "X" stands for any type.
  template <std::size_t count>
  using Key = std::array<std::string, count>;
  using Torsions = std::vector<TorsionTerm>;

  struct LennardJones {
    /// Half the distance at the energy minimum in Angstrom, and the depth of this minimum in kcal/mol.
    double radius, depth;
  };

  void add_mass(const std::string& type, double mass) { masses_[type] = mass; }
  void add_bond(const Key<2>& types, const Harmonic& parameters);
  void add_angle(const Key<3>& types, const Harmonic& parameters);
  /// Adds a term of a dihedral. If the same file already has a term for these types with the same
  /// periodicity, the new term replaces it. Terms of earlier files for these types are removed.
  void add_proper(const Key<4>& types, const TorsionTerm& term);
  /// The third type is the central atom.
  void add_improper(const Key<4>& types, const TorsionTerm& term);
  void add_lennard_jones(const std::string& type, const LennardJones& parameters);
  /// Gives all types the Lennard-Jones parameters that the current file has for the first type. If the
  /// current file has an entry for one of the types, that type keeps its own parameters.
  void make_equivalent(const std::vector<std::string>& types) { equivalent_.push_back(types); }
  /// Ends a file. The next terms come from another file.
  void next_file();

  bool empty() const {
    return masses_.empty() && lennard_jones_.empty() && bonds_.empty() && propers_.empty();
  }

  /// Adds atom types and rules to the force field. Rules with fewer "X" come first.
  void put_into(ForceField& field) const;

 private:
  struct Given {
    Torsions terms;
    std::size_t file;
  };
  void add_torsion(std::map<Key<4>, Given>& to, const Key<4>& key, const TorsionTerm& term) const;

  std::map<std::string, double> masses_;
  std::map<std::string, LennardJones> lennard_jones_;
  std::map<std::string, LennardJones> of_this_file_;
  std::vector<std::vector<std::string>> equivalent_;
  std::map<Key<2>, Harmonic> bonds_;
  std::map<Key<3>, Harmonic> angles_;
  std::map<Key<4>, Given> propers_, impropers_;
  std::size_t file_ = 0;
};

/// Reads a parameter file of AMBER: a complete set (parm10.dat) or modifications (frcmod.*). The first word
/// after the title distinguishes the two kinds. The columns are fixed, as in tleap
/// (ambermd.org/FileFormats.php). Throws InputError with file, line and reason for an invalid number, missing
/// types or an incomplete section. Also throws InputError for 10-12 potentials, correction maps (CMAP) and
/// corrections for pairs (LJEDIT), because the terms of a pocket cannot represent them.
void read_amber_parameters(const std::string& file, AmberParameters& parameters);

}  // namespace molgauge::pocket
