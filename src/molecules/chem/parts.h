#pragma once

#include <cstdint>
#include <vector>

#include "molecules/chem/record.h"

namespace molgauge::chem {

/// Returns the parts of a molecule between the bonds that BRICS cuts (Degen et al. 2008, DOI
/// 10.1002/cmdc.200800178): ring systems, chains and functional groups. Each part is a list of ascending atom
/// numbers, in the order of the record without hydrogens. Every atom is in one part. Throws InvalidMolecule.
/// Thread safety: any number of calls at once.
std::vector<std::vector<std::uint32_t>> brics_parts(const MoleculeRecord& record);

}  // namespace molgauge::chem
