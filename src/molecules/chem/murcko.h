#pragma once

#include <GraphMol/ROMol.h>

#include "molecules/chem/scaffold.h"

namespace molgauge::chem {

/// The scaffold of a sanitised molecule. Call it only within with_rdkit().
Scaffold murcko_scaffold_of(const RDKit::ROMol& molecule);

}  // namespace molgauge::chem
