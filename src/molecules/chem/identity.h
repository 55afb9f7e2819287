#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "molecules/chem/record.h"
#include "molecules/chem/scaffold.h"

namespace molgauge::chem {

/// The identity of a molecule. The record is parsed only once.
struct Identity {
  /// RDKit's canonical SMILES with stereochemistry and isotopes. It is equal for all spellings of one
  /// molecule. Salts, charges and tautomers are kept. Atom-map numbers are removed, and stereocentres in AND
  /// or OR groups become unspecified. A racemate therefore equals the drawing without stereochemistry.
  std::string canonical_smiles;
  /// The number of atoms after hydrogens are merged into their neighbours. Size splits keep molecules with
  /// the same number of atoms together. As in the published splits, the number includes the few hydrogens
  /// that stay separate atoms, such as [2H].
  std::size_t atoms = 0;
  std::size_t bonds = 0;
  std::optional<Scaffold> scaffold;  ///< filled in only if requested
};

/// Returns a text with the versions on which canonical_smiles depends. Only canonical SMILES with equal
/// schemes may be compared with each other.
std::string identity_scheme();

/// Throws InvalidMolecule if the record is not a valid molecule. Thread safety: any number of calls at once.
Identity identify(const MoleculeRecord& record, bool with_scaffold);

}  // namespace molgauge::chem
