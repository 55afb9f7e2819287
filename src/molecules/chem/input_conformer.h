#pragma once

#include <optional>

#include "molecules/chem/perception.h"

namespace molgauge::chem {

/// Returns the coordinates of a mol block that RDKit considers three-dimensional ("3D" in its second line, or
/// a z that is not 0). Hydrogens that the block leaves out are put at RDKit's usual bond lengths and angles
/// if `wanted` is `all`. Returns nothing for a SMILES or a drawing.
///
/// Throws InvalidMolecule, also if a coordinate is beyond 10,000 angstrom. Thread safety: any number of calls
/// at once.
std::optional<Conformer> input_conformer(const MoleculeRecord& record, Coordinates wanted);

}  // namespace molgauge::chem
