#pragma once

#include <GraphMol/ROMol.h>

#include "molecules/chem/record.h"

namespace molgauge::chem {

/// Throws InvalidMolecule if the record has query features, because it then stands for several molecules.
/// Query features are [#6] and ~ in SMILES, and atom lists, A, Q and query bonds in mol blocks.
void refuse_queries(const MoleculeRecord& record, const RDKit::ROMol& molecule);

/// Throws InvalidMolecule if a part of the molecule is not drawn: dummy atoms (*, R groups), attachment
/// points, and repeat units of polymers.
void refuse_incomplete(const RDKit::ROMol& molecule);

}  // namespace molgauge::chem
