#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/numerics/ops/equivariant/message.h"
#include "base/numerics/ops/graph.h"

/// RNA binding pockets as graphs of atoms. A batch contains one or several of them.
namespace molgauge::pocket {

/// Terms of one kind. A term is a group of atoms: bonds and pairs have 2 atoms, angles 3, dihedrals 4.
/// `atoms` is row-major [atoms of a term, terms], and `attributes` is [terms, attributes of a term].
struct Terms {
  ops::Integers atoms;
  ops::Floats attributes;

  std::int64_t count() const { return atoms.size(1); }
};

/// Pockets as they are read from files. The terms are in any order. Atoms are numbered across all pockets.
/// Bonds and pairs appear in both directions.
struct Pockets {
  ops::Floats features;             ///< [n, 3] charge, atomic number, mass; normalised
  ops::Floats positions;            ///< [n, 3] in Angstrom
  Terms bonds;                      ///< 2 attributes: length, force constant
  Terms angles;                     ///< 2 attributes: angle, force constant; the second atom is the centre
  Terms dihedrals;                  ///< 3 attributes: barrier, periodicity, phase
  Terms pairs;                      ///< 3 attributes: log(A + 1), log(B + 1), distance
  std::vector<std::int64_t> sizes;  ///< atoms of each pocket
};

/// The terms that contain each atom. The terms of atom t are members[first[t]] to members[first[t + 1] - 1].
struct TermLists {
  ops::Integers first;    ///< [n + 1]
  ops::Integers members;  ///< term numbers
  ops::Integers owner;    ///< the atom of each of `members`, ascending
};

/// Lists the terms of each atom, in ascending order. `atom_of_term`: the atom under which each term is
/// listed.
TermLists list_terms(const ops::Integers& atom_of_term, std::int64_t atoms);

/// Bonds or pairs as directed edges, sorted by target atom.
struct EdgeTerms {
  ops::DirectedEdges edges;
  ops::Floats attributes;  ///< [E, numbers]
};

/// Angles or dihedrals in the order of the file.
struct AngularTerms {
  std::vector<ops::Integers> atoms;  ///< three or four arrays [terms]
  ops::Floats attributes;
  /// The terms by their inner atoms: one list for the centres of angles, two lists for the second and third
  /// atoms of dihedrals.
  std::vector<TermLists> inner;
};

/// Pockets in the form that the encoder needs.
struct Batch {
  ops::Floats features, positions;
  EdgeTerms bonds, pairs;
  AngularTerms angles, dihedrals;
  ops::Segments pockets;

  std::int64_t atoms() const { return features.size(0); }
};

/// Throws InputError if an array has a wrong shape, an atom number is invalid, the atoms of a term belong to
/// different pockets, a number is not finite, or a pocket is empty. The message begins with `what`.
void require_sound(const Pockets& pockets, const std::string& what);

/// Arranges pockets for the encoder. Throws the errors of require_sound().
Batch arrange(const Pockets& pockets, const std::string& what);

}  // namespace molgauge::pocket
