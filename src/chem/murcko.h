#pragma once

#include <GraphMol/ROMol.h>

#include "chem/scaffold.h"

namespace headroom::chem {

/// The scaffold of a sanitised molecule. Call it only within with_rdkit().
Scaffold murcko_scaffold_of(const RDKit::ROMol& molecule);

}  // namespace headroom::chem
