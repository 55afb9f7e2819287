#pragma once

#include <GraphMol/ROMol.h>

#include "chem/record.h"

namespace headroom::chem {

/// Throws InvalidMolecule if the record has query features, which stand for several molecules: [#6], ~, and
/// atom lists, A, Q or query bonds of a mol block. Dummy atoms (*, R groups) pass.
void refuse_queries(const MoleculeRecord& record, const RDKit::ROMol& molecule);

/// Throws InvalidMolecule if the molecule has a dummy atom: the rest of the molecule is not known.
void refuse_dummies(const RDKit::ROMol& molecule);

}  // namespace headroom::chem
