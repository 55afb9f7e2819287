#pragma once

#include <cstddef>

#include "base/core/error.h"
#include "molecules/chem/molecule.h"
#include "molecules/chem/record.h"

namespace molgauge::chem {

/// The atoms whose coordinates are requested.
enum class Coordinates {
  none,
  heavy,  ///< only coordinates of atoms other than hydrogen
  all,    ///< coordinates of the atoms of the text, and of all hydrogens that the text leaves out
};

/// Requested properties of a molecule. Each property costs time, so encoders request only the properties that
/// they use.
struct Perception {
  bool graph = true;  ///< atoms and bonds, in RDKit's canonical atom order
  /// Atoms, bonds and AtomDetails in the order of RDKit. `graph` is then ignored, because its canonical order
  /// takes longer.
  bool details = false;
  bool morgan = false;  ///< folded Morgan environment counts
  unsigned morgan_radius = 2;
  unsigned morgan_width = 512;                  ///< number of folded indices (identifier modulo this number)
  Coordinates coordinates = Coordinates::none;  ///< coordinates of a mol block with three dimensions
};

/// Error for an invalid molecule. The text is only the reason, and the caller adds file and line.
class InvalidMolecule : public InputError {
 public:
  using InputError::InputError;
};

/// Maximum number of atoms of a record, including explicit hydrogens. If a molecule has stereocentres, RDKit
/// takes time that grows with the cube of the chain length. One very large molecule could delay all others
/// for hours.
inline constexpr std::size_t kMaxAtoms = 2000;
/// Maximum number of characters of a record.
inline constexpr std::size_t kLongestText = std::size_t{1} << 20;

/// Reads and sanitises a record with RDKit's default options: explicit hydrogens are merged into their
/// neighbours. A name and CXSMILES extensions may follow a SMILES. From a mol block, only the atoms, the
/// bonds, their stereochemistry and, if requested, 3D coordinates are used. Does not strip salts or
/// neutralise charges. Throws InvalidMolecule with RDKit's reason (or "empty", "no atoms", "more than 2000
/// atoms"). Thread safety: any number of calls at once, one molecule per call.
Molecule perceive(const MoleculeRecord& record, const Perception& wanted);

}  // namespace molgauge::chem
