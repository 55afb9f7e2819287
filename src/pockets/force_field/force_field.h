#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pockets/topology/topology.h"

/// A force field in the form of AMBER: templates of residues, and parameters by atom types. The units are as
/// in models/pocket/topology/topology.h.
namespace molgauge::pocket {

struct AtomType {
  std::string name, atom_class;
  int element = 0;
  double mass = 0;
  std::optional<double> sigma = {}, epsilon = {};  ///< parameters of the Lennard-Jones potential: Angstrom,
                                                   ///< kcal/mol
};

struct TemplateAtom {
  std::string name, type;
  double charge = 0;
};

struct ResidueTemplate {
  std::string name;
  std::vector<TemplateAtom> atoms;
  std::vector<AtomNumbers<2>> bonds;
  std::vector<std::int64_t> external;  ///< atoms with a bond to another residue

  /// Returns the number of an atom, or nothing if the template has no such atom.
  std::optional<std::int64_t> find(const std::string& atom) const;
};

/// The condition for an atom of a term: a type, a class, or any atom.
struct TypePattern {
  enum class Kind { any, type, atom_class };
  Kind kind = Kind::any;
  std::string name;

  bool matches(const AtomType& type) const;
};

struct TorsionTerm {
  double barrier, periodicity, phase;
};

template <std::size_t count, typename Parameters>
struct TermRule {
  std::array<TypePattern, count> atoms;
  Parameters parameters;
};
struct Harmonic {
  double equilibrium, force;
};

struct ForceField {
  std::string name;  ///< files and a checksum, for manifests
  std::map<std::string, AtomType> types;
  std::map<std::string, ResidueTemplate> residues;
  std::vector<TermRule<2, Harmonic>> bonds;
  std::vector<TermRule<3, Harmonic>> angles;
  std::vector<TermRule<4, std::vector<TorsionTerm>>> propers;
  std::vector<TermRule<4, std::vector<TorsionTerm>>> impropers;  ///< rules with the central atom first

  /// The next three functions return the parameters of atom types. They throw InputError with the types if no
  /// rule matches.
  const AtomType& type(const std::string& type_name) const;
  Harmonic bond(const AtomType& a, const AtomType& b) const;
  Harmonic angle(const AtomType& a, const AtomType& centre, const AtomType& b) const;
  /// Returns the terms of a dihedral, or an empty list if no rule matches. The first matching rule
  /// without "any" has priority, then the first matching rule with "any".
  std::vector<TorsionTerm> proper(const std::array<const AtomType*, 4>& atoms) const;
};

/// Reads the files of one force field: the XML of OpenMM, or the formats of AMBER in the order in which tleap
/// loads them. The AMBER formats are residue libraries (.lib, .off), parameter sets (.dat) and changes to
/// them (frcmod). The format is detected from the content. Throws InputError with file, line and reason, also
/// if a residue has a type that no file defines.
ForceField read_force_field(const std::vector<std::string>& files);

}  // namespace molgauge::pocket
