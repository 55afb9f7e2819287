#pragma once

#include <cstddef>

#include "chem/conformers/made_conformer.h"
#include "chem/perception.h"

namespace headroom::chem {

/// Places the atoms of a molecule in space as the Uni-Mol tools do: hydrogens are added, one conformer is
/// embedded by distance geometry (ETKDG: Riniker and Landrum 2015, DOI 10.1021/acs.jcim.5b00654; seed 42,
/// RDKit's defaults otherwise) and refined with MMFF94 (200 steps). Where no conformer can be embedded, the
/// places are those of RDKit's drawing.
///
/// RDKit 2022.09 cannot be told to stop, and may take hours or end the process: call it in a process of its
/// own (worker_process.h). Throws InvalidMolecule, also for more than `most_atoms` atoms, hydrogens counted.
MadeConformer make_conformer(const MoleculeRecord& record, std::size_t most_atoms);

}  // namespace headroom::chem
