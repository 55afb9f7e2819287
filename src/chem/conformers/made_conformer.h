#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chem/molecule.h"

namespace headroom::chem {

/// How the atoms of a molecule were placed.
enum class Embedding : std::uint8_t {
  three_dimensional,
  flat,  ///< distance geometry found no places: those of a drawing, z = 0 everywhere
};

/// What the force field made of places in three dimensions.
enum class Refinement : std::uint8_t {
  converged,
  not_converged,  ///< not at rest after its 200 steps; the places are those it had reached
  no_parameters,  ///< it does not know an atom or bond of the molecule; the places are as embedded
  failed,         ///< likewise, because of an error
  none,           ///< flat places are not refined
};

/// Atoms in space that were made for a molecule: all of them, hydrogens last, in the order of RDKit's AddHs.
struct MadeConformer {
  Conformer conformer;
  Embedding embedding = Embedding::three_dimensional;
  Refinement refinement = Refinement::converged;
  bool operator==(const MadeConformer&) const = default;
};

/// What decides the places, for keys and names: the recipe, its seed, and RDKit's version, since another one
/// may place atoms elsewhere.
std::string conformer_recipe();

/// For the store and between processes, little-endian: uint8 version (1), uint8 embedding, uint8 refinement,
/// uint8 0, uint32 atoms, their atomic numbers (uint8), x, y, z of each (float32).
std::vector<std::byte> pack(const MadeConformer& made);
/// Nothing where the bytes are no such value.
std::optional<MadeConformer> unpack_conformer(std::span<const std::byte> bytes);

/// The same without hydrogens of any isotope.
Conformer without_hydrogens(const Conformer& conformer);

}  // namespace headroom::chem
