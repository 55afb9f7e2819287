#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pockets/graph.h"

/// Atoms with force-field parameters, and the graph that is made from them. Units: Angstrom, kcal/mol,
/// radians, elementary charges, amu.
namespace molgauge::pocket {

using Position = std::array<double, 3>;

struct TopologyAtom {
  double charge = 0;
  int element = 0;  ///< atomic number; 0 for a virtual site
  double mass = 0;
  std::size_t type = 0;  ///< index in the Lennard-Jones tables
};

template <std::size_t count>
using AtomNumbers = std::array<std::int64_t, count>;

struct Bond {
  AtomNumbers<2> atoms;
  double length, force;  ///< length in Angstrom, force constant in kcal/mol/A^2
};
struct Angle {
  AtomNumbers<3> atoms;  ///< the second is the centre
  double angle, force;   ///< angle in radians, force constant in kcal/mol/rad^2
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
  /// Lennard-Jones coefficients: the energy of the types i and j is a/r^12 - b/r^6 with a[i * types + j] and
  /// b[i * types + j].
  std::size_t types = 0;
  std::vector<double> a, b;
};

struct GraphOptions {
  double cutoff = 4.0;            ///< maximum distance of a non-bonded pair
  bool reference_phases = false;  ///< divide phases in degrees by (2 * 3.14159) instead of radians by (2 pi)
};

/// Makes the graph of one pocket (pockets/graphs/graph_file.h documents the units). The graph contains
/// all atoms. It contains the bonds, angles and dihedrals without hydrogen, in the order of the topology. It
/// also contains all pairs of non-bonded atoms within the cutoff, including hydrogens, sorted by atom
/// numbers. Bonds and pairs are stored in both directions. If there is no bond between heavy atoms, each atom
/// has a self loop with 1.5 A and 300 kcal/mol/A^2, as in the Python project.
///
/// Throws InputError with only the reason if there are no atoms, or if the numbers of positions and atoms
/// differ. Also throws InputError if a position is not finite or beyond 10^6 A, or if two atoms are less
/// than 0.1 A apart.
Pockets make_graph(const Topology& topology, const std::vector<Position>& positions,
                   const GraphOptions& options);

}  // namespace molgauge::pocket
