#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "models/pocket/force_field/force_field.h"

namespace headroom::pocket {

/// Parameters by types of atoms as AMBER's own files give them. Files are added in order. As in tleap, the
/// entries of a later file for some types replace all earlier entries for these types.
class AmberParameters {
 public:
  /// `Key`: the types of a term in the one order that all its spellings share; "X" stands for any type.
  template <std::size_t count>
  using Key = std::array<std::string, count>;
  using Torsions = std::vector<TorsionTerm>;

  struct LennardJones {
    double radius, depth;  ///< half the distance of the minimum, Angstrom; kcal/mol
  };

  void add_mass(const std::string& type, double mass) { masses_[type] = mass; }
  void add_bond(const Key<2>& types, const Harmonic& parameters);
  void add_angle(const Key<3>& types, const Harmonic& parameters);
  /// A term with a new periodicity is added to the terms of the same file. A term with the same periodicity
  /// replaces the earlier term.
  void add_proper(const Key<4>& types, const TorsionTerm& term);
  /// The centre is the third type.
  void add_improper(const Key<4>& types, const TorsionTerm& term);
  void add_lennard_jones(const std::string& type, const LennardJones& parameters);
  /// The types receive the values that this file gives the first of them, unless the file names the types as
  /// well.
  void make_equivalent(const std::vector<std::string>& types) { equivalent_.push_back(types); }
  /// The next terms come from another file.
  void next_file();

  bool empty() const {
    return masses_.empty() && lennard_jones_.empty() && bonds_.empty() && propers_.empty();
  }

  /// Adds types and rules. Rules with fewer "X" stand before others.
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

/// Reads a file of parameters of AMBER's: a whole set (parm10.dat), or changes to one (frcmod.*), which the
/// first word behind the title tells. Fixed columns as tleap reads them: ambermd.org/FileFormats.php. Throws
/// InputError with file, line and reason: an invalid number, missing types, an incomplete section, 10-12
/// potentials, or corrections by CMAP or for pairs (LJEDIT). The terms of a pocket cannot hold the energies
/// of these potentials and corrections.
void read_amber_parameters(const std::string& file, AmberParameters& parameters);

}  // namespace headroom::pocket
