#pragma once

#include <optional>

#include "chem/perception.h"

namespace headroom::chem {

/// The coordinates in a record: those of a mol block that RDKit considers
/// three-dimensional
/// ("3D" in its second line, or a z that is not 0). Hydrogens that the block leaves out are put at RDKit's
/// usual bond lengths and angles if `wanted` is `all`. None for a SMILES and for a drawing.
///
/// Throws InvalidMolecule, also where a coordinate is beyond 10,000 angstrom. Thread safety: any number of
/// calls at once.
std::optional<Conformer> input_conformer(const MoleculeRecord& record, Coordinates wanted);

}  // namespace headroom::chem
