#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "molecules/chem/molecule.h"

namespace molgauge::test {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Atoms of one kind with the given bonds.
inline chem::Molecule graph(std::size_t atoms, const Pairs& bonds) {
  chem::Molecule molecule;
  molecule.atoms.resize(atoms);
  for (const auto& [begin, end] : bonds) {
    molecule.bonds.push_back({begin, end});
  }
  return molecule;
}

inline chem::Molecule path(std::uint32_t atoms) {
  Pairs bonds;
  for (std::uint32_t i = 0; i + 1 < atoms; ++i) {
    bonds.emplace_back(i, i + 1);
  }
  return graph(atoms, bonds);
}

/// Benzene is ring(6).
inline chem::Molecule ring(std::uint32_t atoms) {
  chem::Molecule molecule = path(atoms);
  molecule.bonds.push_back({atoms - 1, 0});
  return molecule;
}

/// Neopentane is star(4).
inline chem::Molecule star(std::uint32_t leaves) {
  Pairs bonds;
  for (std::uint32_t leaf = 1; leaf <= leaves; ++leaf) {
    bonds.emplace_back(0, leaf);
  }
  return graph(leaves + 1, bonds);
}

inline chem::Molecule complete(std::uint32_t atoms) {
  Pairs bonds;
  for (std::uint32_t i = 0; i < atoms; ++i) {
    for (std::uint32_t j = i + 1; j < atoms; ++j) {
      bonds.emplace_back(i, j);
    }
  }
  return graph(atoms, bonds);
}

/// Atom i becomes atom new_number[i].
inline chem::Molecule renumbered(const chem::Molecule& molecule,
                                 const std::vector<std::uint32_t>& new_number) {
  chem::Molecule result = molecule;
  for (std::size_t i = 0; i < molecule.atoms.size(); ++i) {
    result.atoms[new_number[i]] = molecule.atoms[i];
  }
  for (chem::Bond& bond : result.bonds) {
    bond.begin = new_number[bond.begin];
    bond.end = new_number[bond.end];
  }
  return result;
}

}  // namespace molgauge::test
