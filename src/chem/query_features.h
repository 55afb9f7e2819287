#pragma once

#include <GraphMol/ROMol.h>

#include "chem/record.h"

namespace headroom::chem {

/// Throws InvalidMolecule if the record has query features, because it then stands for several molecules.
/// Query features are [#6] and ~ in SMILES, and atom lists, A, Q and query bonds in mol blocks. Dummy atoms
/// (*, R groups) pass.
void refuse_queries(const MoleculeRecord& record, const RDKit::ROMol& molecule);

/// Throws InvalidMolecule if the molecule has a dummy atom, because a part of the molecule is then unknown.
void refuse_dummies(const RDKit::ROMol& molecule);

}  // namespace headroom::chem
