#pragma once

#include "chem/molecule.h"
#include "chem/record.h"
#include "core/error.h"

namespace headroom::chem {

/// What is wanted of a molecule besides validity. Each costs time, so encoders ask for what they use.
struct Perception {
  bool graph = true;    ///< atoms and bonds, in RDKit's canonical atom order
  bool morgan = false;  ///< folded Morgan environment counts
  unsigned morgan_radius = 2;
  unsigned morgan_width = 512;  ///< environments are folded modulo this
};

/// The record is no molecule; the text is the reason alone (file and line are the caller's to add).
class InvalidMolecule : public InputError {
 public:
  using InputError::InputError;
};

/// Reads and sanitises a record with RDKit's default options. No salt stripping, no neutralisation.
/// Throws InvalidMolecule with RDKit's reason (or "empty", "no atoms").
/// Thread safety: any number of calls at once, one molecule per call.
Molecule perceive(const MoleculeRecord& record, const Perception& wanted);

}  // namespace headroom::chem
