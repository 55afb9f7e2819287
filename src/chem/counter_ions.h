#pragma once

#include <string>

namespace headroom::chem {

/// How readily an organic fragment is removed from a record that has other organic fragments.
enum class FragmentRole {
  inorganic,  ///< contains carbon but counts as inorganic: CO2, carbonate, cyanide, thiocyanate
  acid,       ///< a common acid of salts with amines, or a solvent
  base,       ///< a common base of salts with acids; stays if only acids and solvents are left
  main,       ///< any other fragment
};

/// The role of a fragment. `smiles`: RDKit's canonical SMILES of its neutral form without stereochemistry and
/// isotopes. To be called within with_rdkit().
FragmentRole role_of(const std::string& smiles);

}  // namespace headroom::chem
