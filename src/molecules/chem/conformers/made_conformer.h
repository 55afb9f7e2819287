#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "molecules/chem/molecule.h"
#include "molgauge/choices.h"

namespace molgauge::chem {

/// The origin of the coordinates of a molecule.
enum class Embedding : std::uint8_t {
  three_dimensional,
  flat,  ///< 2D layout with z = 0, because distance geometry failed
};

/// The result of the force field refinement of 3D coordinates.
enum class Refinement : std::uint8_t {
  converged,
  not_converged,  ///< not converged after 200 steps. The coordinates are those of the last step
  no_parameters,  ///< the force field lacks an atom or bond type. The coordinates are not refined
  failed,         ///< an error occurred. The coordinates are not refined
  none,           ///< not refined, because the coordinates are flat
};

/// The engine that made the coordinates.
enum class MadeBy : std::uint8_t {
  exact,
  fast,
  exact_after_fast,  ///< RDKit, because the fast engine failed
};

/// The generated coordinates of all atoms of a molecule. Hydrogens come last, in the order of RDKit's AddHs.
struct MadeConformer {
  Conformer conformer;
  Embedding embedding = Embedding::three_dimensional;
  Refinement refinement = Refinement::converged;
  MadeBy made_by = MadeBy::exact;
  bool operator==(const MadeConformer&) const = default;
};

/// Returns a text for keys and names. It contains all settings that determine the coordinates: the recipe,
/// its seed, and the version of RDKit. Different versions may give different coordinates.
std::string conformer_recipe(ConformerEngine engine);

/// Serialises a conformer for the store and for messages between processes. The bytes are little-endian:
/// uint8 version (1), uint8 embedding, uint8 refinement, uint8 engine, uint32 number of atoms, the atomic
/// number of each atom (uint8), and x, y, z of each atom (float32).
std::vector<std::byte> pack(const MadeConformer& made);
/// Returns nothing if the bytes do not come from pack().
std::optional<MadeConformer> unpack_conformer(std::span<const std::byte> bytes);

/// The conformer without hydrogens of any isotope.
Conformer without_hydrogens(const Conformer& conformer);

}  // namespace molgauge::chem
