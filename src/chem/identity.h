#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "chem/record.h"
#include "chem/scaffold.h"

namespace headroom::chem {

/// What tells a molecule from others, found in one reading of the record.
struct Identity {
  /// RDKit's canonical SMILES with stereochemistry and isotopes: equal for all spellings of one molecule.
  /// Salts, charges and tautomers stay what they are.
  std::string canonical_smiles;
  std::size_t atoms = 0;  ///< as heavy_atom_count()
  std::size_t bonds = 0;
  std::optional<Scaffold> scaffold;  ///< as murcko_scaffold(), when asked for
};

/// What canonical_smiles depends on beside the molecule: the texts of one scheme may be compared with each
/// other, those of two may not.
std::string identity_scheme();

/// Throws InvalidMolecule. Thread safety: any number of calls at once.
Identity identify(const MoleculeRecord& record, bool with_scaffold);

}  // namespace headroom::chem
