#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "molecules/chem/record.h"

namespace molgauge::chem {

/// Returns true if the text of a record suggests that the molecule has chiral atoms. Returns true for every
/// mol block.
bool may_be_chiral(const MoleculeRecord& record);

/// Returns `count` SMILES of the molecule of a record with its atoms in random orders, with stereochemistry.
/// Some of them can be equal. The orders depend only on the text of the record. Returns nothing if no atom
/// has a chirality tag, because then the order of the atoms does not matter. Throws InvalidMolecule. Thread
/// safety: any number of calls at once.
std::vector<std::string> other_spellings(const MoleculeRecord& record, std::size_t count);

}  // namespace molgauge::chem
