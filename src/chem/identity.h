#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "chem/record.h"
#include "chem/scaffold.h"

namespace headroom::chem {

/// The identity of a molecule, found in one reading of the record.
struct Identity {
  /// RDKit's canonical SMILES with stereochemistry and isotopes: equal for all spellings of one molecule.
  /// Salts, charges and tautomers are kept. Atom-map numbers are removed, and stereocentres in AND or OR
  /// groups are left open. A racemate therefore equals the drawing without stereochemistry.
  std::string canonical_smiles;
  /// Atoms after hydrogens are merged into their neighbours: the value by which size splits group molecules.
  /// Like the published splits, it counts the few hydrogens that remain atoms, such as the isotope [2H].
  std::size_t atoms = 0;
  std::size_t bonds = 0;
  std::optional<Scaffold> scaffold;  ///< only if requested
};

/// The versions that canonical_smiles depends on. Only texts of the same scheme may be compared with each
/// other.
std::string identity_scheme();

/// Throws InvalidMolecule. Thread safety: any number of calls at once.
Identity identify(const MoleculeRecord& record, bool with_scaffold);

}  // namespace headroom::chem
