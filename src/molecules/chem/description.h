#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "molecules/chem/record.h"
#include "molecules/chem/standardize.h"

namespace molgauge::chem {

/// The properties that are compared between a molecule and the molecules of a training set. Unless a comment
/// says otherwise, they describe the standardised molecule.
struct Description {
  /// RDKit's canonical SMILES with stereochemistry and isotopes (molecules/chem/identity.h).
  std::string canonical_smiles;
  std::string drawn_smiles;  ///< canonical SMILES of the molecule as drawn
  /// Canonical SMILES of the parent. It differs from canonical_smiles only if standardisation chose another
  /// tautomer.
  std::string parent_smiles;
  std::string flat_smiles;  ///< canonical_smiles without stereochemistry
  /// Murcko scaffold (molecules/chem/scaffold.h). The text is empty for an acyclic molecule.
  std::string scaffold;
  /// Circular environments of up to two bonds, not folded. Pairs (identifier, count), ascending by
  /// identifier.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> environments;
  /// Pairs (atom of the record, identifier of its environment of one bond). The list leaves out atoms that
  /// standardisation removes, and isolated atoms.
  std::vector<std::pair<std::uint16_t, std::uint32_t>> atom_environments;
  std::vector<std::uint8_t> elements;  ///< distinct atomic numbers without hydrogen, ascending
  /// Names of the smallest rings, distinct and ascending. See ring_name().
  std::vector<std::string> rings;
  std::size_t heavy_atoms = 0;
  double log_p = 0;  ///< Wildman and Crippen (1999, DOI 10.1021/ci990307l), as RDKit computes it
  int charge = 0;    ///< charge of the whole molecule
  std::vector<std::string> remarks;  ///< remarks_of() in molecules/chem/components.h
};

/// Throws InvalidMolecule. Thread safety: any number of calls at once.
Description describe(const MoleculeRecord& record, Standardization standardization = {});

/// Returns the symbol of an element: "Pt" for 78, "*" for 0.
std::string element_symbol(std::uint8_t atomic_number);

}  // namespace molgauge::chem
