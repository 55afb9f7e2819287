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
  /// Once hydrogens are merged into their neighbours: the value by which size splits group molecules. Like
  /// the published splits it counts the few hydrogens that stay atoms, isotopes such as [2H].
  std::size_t atoms = 0;
  std::size_t bonds = 0;
  std::optional<Scaffold> scaffold;  ///< when asked for
};

/// What canonical_smiles depends on beside the molecule: the texts of one scheme may be compared with each
/// other, those of two may not.
std::string identity_scheme();

/// Throws InvalidMolecule. Thread safety: any number of calls at once.
Identity identify(const MoleculeRecord& record, bool with_scaffold);

}  // namespace headroom::chem
