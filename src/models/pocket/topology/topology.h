#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/pocket/graph.h"

/// Atoms with the parameters of a force field, and the graph that follows from them. Units: Angstrom,
/// kcal/mol, radians, elementary charges, amu.
namespace headroom::pocket {

using Position = std::array<double, 3>;

struct TopologyAtom {
  double charge = 0;
  int element = 0;  ///< atomic number; 0: a point without an atom
  double mass = 0;
  std::size_t type = 0;  ///< of the Lennard-Jones tables
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
/// One term: a torsion of several terms stands there several times. Impropers are dihedrals like others.
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
  double cutoff = 4.0;            ///< most distance of a non-bonded pair
  bool reference_phases = false;  ///< phases as degrees / (2 * 3.14159) in place of radians / (2 pi)
};

/// The graph of one pocket (models/pocket/graphs/graph_file.h has the units of its numbers): all atoms;
/// bonds, angles and dihedrals without hydrogen, in their order; pairs of atoms, hydrogens among them, that
/// are not bonded and at most the cutoff apart, by rising atom numbers. Bonds and pairs are stored in both
/// directions, one after the other. Atoms without any bond between heavy atoms have a self loop each, of 1.5
/// A and 300 kcal/mol/A^2, as in the Python project.
///
/// Throws InputError with the reason alone: no atoms, another number of positions than atoms, a position that
/// is not finite or beyond 10^6 A, two atoms less than 0.1 A apart.
Pockets make_graph(const Topology& topology, const std::vector<Position>& positions,
                   const GraphOptions& options);

}  // namespace headroom::pocket
