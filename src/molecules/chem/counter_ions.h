#pragma once

#include <string>

namespace molgauge::chem {

/// The kind of an organic fragment. It determines which fragments are removed from a record with several
/// organic fragments.
enum class FragmentRole {
  inorganic,  ///< counts as inorganic although it contains carbon: CO2, carbonate, cyanide, thiocyanate
  acid,       ///< a common acid of salts with amines, or a solvent
  base,       ///< a common base of salts with acids. It is kept if all others have the role `acid`
  main,       ///< any other fragment
};

/// The role of a fragment. `smiles`: RDKit's canonical SMILES of its neutral form without stereochemistry and
/// isotopes. Call it only within with_rdkit().
FragmentRole role_of(const std::string& smiles);

}  // namespace molgauge::chem
