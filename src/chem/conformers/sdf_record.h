#pragma once

#include <string>

#include "chem/conformers/made_conformer.h"
#include "chem/perception.h"

namespace headroom::chem {

/// A record of an .sdf for atoms that were embedded: the mol block of the molecule with its hydrogens, data
/// fields `input` (the text it was made from), `places` ("3d" or "2d") and `mmff` ("converged", "not
/// converged", "no parameters", "failed" or "none"), and "$$$$". Throws InvalidMolecule if the atoms do not
/// match the record.
std::string sdf_record(const MoleculeRecord& record, const MadeConformer& made);

/// A record of an .sdf for a mol block that has coordinates: the unchanged block.
std::string sdf_record(const MoleculeRecord& record);

}  // namespace headroom::chem
