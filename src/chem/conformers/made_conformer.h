#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chem/molecule.h"

namespace headroom::chem {

/// The origin of the coordinates of a molecule.
enum class Embedding : std::uint8_t {
  three_dimensional,
  flat,  ///< distance geometry failed: coordinates of a drawing, z = 0 everywhere
};

/// The result of the force field refinement of 3D coordinates.
enum class Refinement : std::uint8_t {
  converged,
  not_converged,  ///< not converged after 200 steps; coordinates of the last step
  no_parameters,  ///< the force field lacks an atom or bond type; the coordinates are as embedded
  failed,         ///< an error occurred; the coordinates are as embedded
  none,           ///< not refined, because the coordinates are flat
};

/// Coordinates that were made for a molecule: all atoms, hydrogens last, in the order of RDKit's AddHs.
struct MadeConformer {
  Conformer conformer;
  Embedding embedding = Embedding::three_dimensional;
  Refinement refinement = Refinement::converged;
  bool operator==(const MadeConformer&) const = default;
};

/// The parameters that determine the coordinates, for keys and names: the recipe, its seed, and RDKit's
/// version, since another version may give other coordinates.
std::string conformer_recipe();

/// Bytes for the store and between processes, little-endian: uint8 version (1), uint8 embedding, uint8
/// refinement, uint8 0, uint32 atoms, their atomic numbers (uint8), x, y, z of each (float32).
std::vector<std::byte> pack(const MadeConformer& made);
/// Returns nothing if the bytes are not such a value.
std::optional<MadeConformer> unpack_conformer(std::span<const std::byte> bytes);

/// The conformer without hydrogens of any isotope.
Conformer without_hydrogens(const Conformer& conformer);

}  // namespace headroom::chem
