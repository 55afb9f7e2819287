#pragma once

#include <cstddef>
#include <string>

namespace headroom::chem {

/// The rings of a molecule and the links between them, without all other atoms (Bemis and
/// Murcko 1996, DOI 10.1021/jm9602928; atoms doubly bonded to the remaining ones stay, as in RDKit): the
/// value by which scaffold splits group molecules. identify() finds it (chem/identity.h).
struct Scaffold {
  /// RDKit's MurckoScaffoldSmiles(includeChirality=False). Empty for an acyclic molecule.
  std::string smiles;
  std::size_t atoms = 0;  ///< 0 for an acyclic molecule
};

}  // namespace headroom::chem
