#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/pocket/graph.h"

/// Atoms with force-field parameters, and the graph that is made from them. Units: Angstrom, kcal/mol,
/// radians, elementary charges, amu.
namespace headroom::pocket {

using Position = std::array<double, 3>;

struct TopologyAtom {
  double charge = 0;
  int element = 0;  ///< atomic number; 0: a point without an atom
  double mass = 0;
  std::size_t type = 0;  ///< index in the Lennard-Jones tables
};

template <std::size_t count>
using AtomNumbers = std::array<std::int64_t, count>;

struct Bond {
  AtomNumbers<2> atoms;
  double length, force;  ///< kcal/mol/A^2
};
struct Angle {
  AtomNumbers<3> atoms;  ///< the second is the centre
  double angle, force;   ///< kcal/mol/rad^2
};
/// A term of a dihedral. A dihedral with several terms is listed several times. Impropers are listed as well.
struct Dihedral {
  AtomNumbers<4> atoms;
  double barrier, periodicity, phase;
};

struct Topology {
  std::vector<TopologyAtom> atoms;
  std::vector<Bond> bonds;
  std::vector<Angle> angles;
  std::vector<Dihedral> dihedrals;
  /// Coefficients of A/r^12 - B/r^6 by [type * types + type].
  std::size_t types = 0;
  std::vector<double> a, b;
};

struct GraphOptions {
  double cutoff = 4.0;            ///< maximum distance of a non-bonded pair
  bool reference_phases = false;  ///< phases as degrees / (2 * 3.14159) instead of radians / (2 pi)
};

/// Makes the graph of one pocket (models/pocket/graphs/graph_file.h has the units). It contains all atoms,
/// and the bonds, angles and dihedrals without hydrogen in their order. It also contains the pairs of atoms
/// that are not bonded and are within the cutoff, sorted by atom numbers. These pairs can have hydrogens.
/// Bonds and pairs are stored in both directions. If there is no bond between heavy atoms, each atom has a
/// self loop with 1.5 A and 300 kcal/mol/A^2, as in the Python project.
///
/// Throws InputError with only the reason if there are no atoms, or if the numbers of positions and atoms
/// differ. Positions must be finite and within 10^6 A, and atoms must be at least 0.1 A apart.
Pockets make_graph(const Topology& topology, const std::vector<Position>& positions,
                   const GraphOptions& options);

}  // namespace headroom::pocket
