#pragma once

#include <cstdint>
#include <vector>

#include <GraphMol/ROMol.h>

#include "chem/record.h"

namespace headroom::chem {

/// For each atom of `molecule`, which read_molecule() made of `record`: its position among the atoms of the
/// text. RDKit loses the positions when it merges explicit hydrogens into their neighbours. Such texts are
/// therefore read twice.
std::vector<std::uint32_t> text_order(const RDKit::ROMol& molecule, const MoleculeRecord& record);

}  // namespace headroom::chem
