#pragma once

#include <cstddef>

#include "molecules/chem/conformers/made_conformer.h"
#include "molecules/chem/perception.h"

namespace molgauge::chem {

/// Embeds the atoms of a molecule as the Uni-Mol tools do. Hydrogens are added. One conformer is embedded by
/// distance geometry with the seed 42 and RDKit's defaults (ETKDG: Riniker and Landrum 2015, DOI
/// 10.1021/acs.jcim.5b00654). It is then refined with 200 steps of MMFF94. If embedding fails, the
/// coordinates come from RDKit's 2D layout.
///
/// The fast engine (fast/engine.h) uses the same method and the same settings. If it fails, RDKit generates
/// the conformer. In both cases, the atoms have the order of the canonical SMILES during the calculation, so
/// all drawings of a molecule get the same conformer. The exact engine uses the order of the drawing, as
/// other programs do.
///
/// RDKit 2022.09 cannot be interrupted, and may take hours or crash the process. Call it in a separate
/// process (worker_process.h). Throws InvalidMolecule, also if the molecule has more than `most_atoms` atoms,
/// including hydrogens.
MadeConformer make_conformer(const MoleculeRecord& record, std::size_t most_atoms, ConformerEngine engine);

}  // namespace molgauge::chem
