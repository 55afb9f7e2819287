#pragma once

#include <string>

#include "molecules/chem/conformers/made_conformer.h"
#include "molecules/chem/perception.h"

namespace molgauge::chem {

/// Returns the .sdf record of a generated conformer. It consists of the mol block with hydrogens, data fields
/// and "$$$$". The data fields are `input` (the text of the molecule), `places` ("3d" or "2d") and `mmff`
/// ("converged", "not converged", "no parameters", "failed" or "none"). Conformers that were requested from
/// the fast engine have the field `engine` ("fast" or "exact, because fast failed"). Throws InvalidMolecule
/// if the atoms of `made` do not match the record.
std::string sdf_record(const MoleculeRecord& record, const MadeConformer& made);

/// Returns the .sdf record of a mol block that already has coordinates. It contains the unchanged mol block.
std::string sdf_record(const MoleculeRecord& record);

}  // namespace molgauge::chem
