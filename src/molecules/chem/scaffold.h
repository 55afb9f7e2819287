#pragma once

#include <cstddef>
#include <string>

namespace molgauge::chem {

/// The rings of a molecule and the links between them (Bemis and Murcko 1996, DOI 10.1021/jm9602928). As in
/// RDKit, atoms with a double bond to these atoms belong to the scaffold. Scaffold splits keep molecules with
/// the same scaffold together. identify() computes the scaffold (molecules/chem/identity.h).
struct Scaffold {
  /// RDKit's MurckoScaffoldSmiles(includeChirality=False). The text is empty for an acyclic molecule.
  std::string smiles;
  std::size_t atoms = 0;  ///< 0 for an acyclic molecule
};

}  // namespace molgauge::chem
