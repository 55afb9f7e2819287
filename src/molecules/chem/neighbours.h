#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/core/error.h"
#include "molecules/chem/molecule.h"

namespace molgauge::chem {

/// The neighbours of each atom, for bonds of any kind.
class Neighbours {
 public:
  /// Throws InputError when a bond names an atom that does not exist.
  explicit Neighbours(const Molecule& molecule)
      : offsets_(molecule.atoms.size() + 1), atoms_(2 * molecule.bonds.size()) {
    for (const Bond& bond : molecule.bonds) {
      require_atoms_of(bond);
      ++offsets_[bond.begin + 1];
      ++offsets_[bond.end + 1];
    }
    for (std::size_t atom = 0; atom + 1 < offsets_.size(); ++atom) {
      offsets_[atom + 1] += offsets_[atom];
    }
    fill(molecule);
  }

  std::size_t atom_count() const { return offsets_.size() - 1; }
  /// Neighbours of an atom, ascending.
  std::span<const std::uint32_t> of(std::size_t atom) const {
    return {atoms_.data() + offsets_[atom], degree(atom)};
  }
  std::size_t degree(std::size_t atom) const { return offsets_[atom + 1] - offsets_[atom]; }

 private:
  void require_atoms_of(const Bond& bond) const {
    if (bond.begin >= atom_count() || bond.end >= atom_count()) {
      throw InputError("a bond joins atoms " + std::to_string(bond.begin) + " and " +
                       std::to_string(bond.end) + ", but there are " + std::to_string(atom_count()));
    }
  }

  void fill(const Molecule& molecule) {
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    for (const Bond& bond : molecule.bonds) {
      atoms_[next[bond.begin]++] = bond.end;
      atoms_[next[bond.end]++] = bond.begin;
    }
    for (std::size_t atom = 0; atom < atom_count(); ++atom) {
      std::sort(atoms_.data() + offsets_[atom], atoms_.data() + offsets_[atom + 1]);
    }
  }

  /// The neighbours of atom i are atoms_[offsets_[i]] to atoms_[offsets_[i + 1] - 1].
  std::vector<std::size_t> offsets_;
  std::vector<std::uint32_t> atoms_;
};

}  // namespace molgauge::chem
