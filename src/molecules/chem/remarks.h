#pragma once

#include <string>
#include <vector>

#include "molecules/chem/record.h"

namespace molgauge::chem {

/// Returns remarks about a molecule that models seldom know: "radical with 1 unpaired electron" and "mixture
/// of 2 components, taken as one molecule". A mixture has several different organic components, without
/// counter-ions and solvents (main_components()). Returns nothing for most molecules. Throws InvalidMolecule.
/// Does not check plain SMILES. Thread safety: any number of calls at once.
std::vector<std::string> remarks_on(const MoleculeRecord& record);

}  // namespace molgauge::chem
