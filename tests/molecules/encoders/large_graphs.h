#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "graphs.h"

namespace molgauge::test {

/// A tree. Every atom except the first is bonded to one of the `reach` atoms before it.
inline chem::Molecule bushy_chain(std::uint32_t atoms, std::uint32_t reach, unsigned seed) {
  std::mt19937 generator(seed);
  Pairs bonds;
  for (std::uint32_t i = 1; i < atoms; ++i) {
    bonds.emplace_back(i - 1 - generator() % std::min(reach, i), i);
  }
  return graph(atoms, bonds);
}

/// A path() with random additional bonds between atoms i and i + 2.
inline chem::Molecule crossed_chain(std::uint32_t atoms, unsigned seed) {
  std::mt19937 generator(seed);
  chem::Molecule molecule = path(atoms);
  for (std::uint32_t begin = 0; begin + 2 < atoms; ++begin) {
    if (generator() % 4 == 0) {
      molecule.bonds.push_back({begin, begin + 2});
    }
  }
  return molecule;
}

/// The core has three branches. All other atoms have two further branches each.
inline chem::Molecule dendrimer(std::uint32_t atoms) {
  Pairs bonds;
  for (std::uint32_t i = 1; i < atoms; ++i) {
    bonds.emplace_back(i < 4 ? 0 : (i - 4) / 2 + 1, i);
  }
  return graph(atoms, bonds);
}

/// Equal chains on one atom.
inline chem::Molecule spider(std::uint32_t legs, std::uint32_t length) {
  Pairs bonds;
  for (std::uint32_t leg = 0; leg < legs; ++leg) {
    for (std::uint32_t i = 0; i < length; ++i) {
      bonds.emplace_back(i == 0 ? 0 : leg * length + i, leg * length + i + 1);
    }
  }
  return graph(1 + legs * length, bonds);
}

/// A tube of hexagons: rings of `around` atoms, in which every second atom is bonded to the next ring.
inline chem::Molecule nanotube(std::uint32_t around, std::uint32_t rings) {
  Pairs bonds;
  for (std::uint32_t ring = 0; ring < rings; ++ring) {
    for (std::uint32_t i = 0; i < around; ++i) {
      const std::uint32_t atom = ring * around + i;
      bonds.emplace_back(atom, ring * around + (i + 1) % around);
      if (ring + 1 < rings && (ring + i) % 2 == 1) {
        bonds.emplace_back(atom, atom + around);
      }
    }
  }
  return graph(around * rings, bonds);
}

/// Benzene rings in a row, joined as in biphenyl.
inline chem::Molecule polyphenyl(std::uint32_t rings) {
  Pairs bonds;
  for (std::uint32_t ring = 0; ring < rings; ++ring) {
    for (std::uint32_t i = 0; i < 6; ++i) {
      bonds.emplace_back(6 * ring + i, 6 * ring + (i + 1) % 6);
    }
    if (ring > 0) {
      bonds.emplace_back(6 * ring - 3, 6 * ring);
    }
  }
  return graph(6 * rings, bonds);
}

/// Returns `left` and `right` as one molecule, without a bond between them.
inline chem::Molecule beside(chem::Molecule left, const chem::Molecule& right) {
  const auto shift = static_cast<std::uint32_t>(left.atoms.size());
  left.atoms.insert(left.atoms.end(), right.atoms.begin(), right.atoms.end());
  for (chem::Bond bond : right.bonds) {
    bond.begin += shift;
    bond.end += shift;
    left.bonds.push_back(bond);
  }
  return left;
}

struct NamedGraph {
  std::string name;
  chem::Molecule graph;
};

/// One graph of every shape, with about this many atoms each.
inline std::vector<NamedGraph> graphs_of_every_shape(std::uint32_t atoms) {
  return {{"chain", path(atoms)},
          {"ring", ring(atoms)},
          {"bushy chain", bushy_chain(atoms, 4, 1)},
          {"random tree", bushy_chain(atoms, atoms, 2)},
          {"crossed chain", crossed_chain(atoms, 3)},
          {"dendrimer", dendrimer(atoms)},
          {"spider of six", spider(6, atoms / 6)},
          {"spider of twenty", spider(20, atoms / 20)},
          {"nanotube", nanotube(20, atoms / 20)},
          {"polyphenyl", polyphenyl(atoms / 6)},
          {"mixture", beside(beside(ring(atoms / 2), star(4)), dendrimer(atoms / 2))}};
}

}  // namespace molgauge::test
