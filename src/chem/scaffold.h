#pragma once

#include <cstddef>
#include <string>

#include "chem/record.h"

namespace headroom::chem {

/// What is left of a molecule when everything but its rings and the links between them is cut off (Bemis and
/// Murcko 1996, DOI 10.1021/jm9602928; atoms doubly bonded to what remains stay, as in RDKit).
struct Scaffold {
  std::string smiles;     ///< canonical, without chirality; empty for an acyclic molecule
  std::size_t atoms = 0;  ///< 0 for an acyclic molecule
};

/// The value by which scaffold splits group molecules: RDKit's MurckoScaffoldSmiles(includeChirality=False).
/// Throws InvalidMolecule. Thread safety: any number of calls at once.
Scaffold murcko_scaffold(const MoleculeRecord& record);

/// The value by which size splits group molecules: its atoms once hydrogens are merged into their neighbours.
/// Like the published splits it counts the few hydrogens that stay atoms, isotopes such as [2H].
/// Throws InvalidMolecule. Thread safety: any number of calls at once.
std::size_t heavy_atom_count(const MoleculeRecord& record);

}  // namespace headroom::chem
