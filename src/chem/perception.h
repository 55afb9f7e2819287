#pragma once

#include <cstddef>

#include "chem/molecule.h"
#include "chem/record.h"
#include "core/error.h"

namespace headroom::chem {

/// Which atoms are wanted in space.
enum class Coordinates {
  none,
  heavy,  ///< without hydrogens of any kind
  all,    ///< those of the text, and all hydrogens that it leaves out
};

/// What is wanted of a molecule besides validity. Each costs time, so encoders ask for what they use.
struct Perception {
  bool graph = true;    ///< atoms and bonds, in RDKit's canonical atom order
  bool morgan = false;  ///< folded Morgan environment counts
  unsigned morgan_radius = 2;
  unsigned morgan_width = 512;                  ///< environments are folded modulo this
  Coordinates coordinates = Coordinates::none;  ///< of a mol block that has three dimensions
};

/// The record is no molecule; the text is the reason alone (file and line are the caller's to add).
class InvalidMolecule : public InputError {
 public:
  using InputError::InputError;
};

/// Atoms a record may have, explicit hydrogens counted. Where a text names stereocentres, RDKit's time grows
/// with the cube of a chain's length, so one absurd record could hold up all others for hours.
inline constexpr std::size_t kMostAtoms = 2000;
/// Characters a record may have.
inline constexpr std::size_t kLongestText = std::size_t{1} << 20;

/// Reads and sanitises a record with RDKit's default options: explicit hydrogens are merged into their
/// neighbours, a name and CXSMILES extensions may follow a SMILES, of a mol block nothing but the atoms,
/// bonds, their stereochemistry and, where wanted, three-dimensional coordinates is used. No salt stripping,
/// no neutralisation. Throws InvalidMolecule with RDKit's reason (or "empty", "no atoms", "more than 2000
/// atoms"). Thread safety: any number of calls at once, one molecule per call.
Molecule perceive(const MoleculeRecord& record, const Perception& wanted);

}  // namespace headroom::chem
