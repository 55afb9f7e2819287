#pragma once

#include <cstddef>

#include "chem/conformers/made_conformer.h"
#include "chem/perception.h"

namespace headroom::chem {

/// Embeds the atoms of a molecule as the Uni-Mol tools do: hydrogens are added, one conformer is embedded by
/// distance geometry (ETKDG: Riniker and Landrum 2015, DOI 10.1021/acs.jcim.5b00654; seed 42, RDKit's
/// defaults otherwise) and refined with MMFF94 (200 steps). If embedding fails, the coordinates come from
/// RDKit's 2D layout.
///
/// RDKit 2022.09 cannot be interrupted, and may take hours or crash the process. Call it in a separate
/// process (worker_process.h). Throws InvalidMolecule, also for more than `most_atoms` atoms, hydrogens
/// counted.
MadeConformer make_conformer(const MoleculeRecord& record, std::size_t most_atoms);

}  // namespace headroom::chem
