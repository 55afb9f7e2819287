#pragma once

#include <optional>

#include "chem/perception.h"

namespace headroom::chem {

/// The atoms in space that a record brings along: those of a mol block which RDKit takes for
/// three-dimensional
/// ("3D" in its second line, or a z that is not 0). Hydrogens that the block leaves out are put at RDKit's
/// usual bond lengths and angles where `wanted` says all. Nothing for a SMILES and for a drawing.
///
/// Throws InvalidMolecule, also where a coordinate is beyond 10,000 angstrom. Thread safety: any number of
/// calls at once.
std::optional<Conformer> own_conformer(const MoleculeRecord& record, Coordinates wanted);

}  // namespace headroom::chem
