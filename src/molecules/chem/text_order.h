#pragma once

#include <cstdint>
#include <vector>

#include <GraphMol/ROMol.h>

#include "molecules/chem/record.h"

namespace molgauge::chem {

/// Returns the position of each atom of `molecule` among the atoms of the text of `record`. read_molecule()
/// must have made `molecule` from `record`. RDKit loses the positions when it merges explicit hydrogens into
/// their neighbours. Such texts are therefore read twice.
std::vector<std::uint32_t> text_order(const RDKit::ROMol& molecule, const MoleculeRecord& record);

}  // namespace molgauge::chem
