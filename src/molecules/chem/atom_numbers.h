#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <GraphMol/ROMol.h>

/// Follows atoms through steps of RDKit that change their order. Call these functions only within
/// with_rdkit().
namespace molgauge::chem {

/// Stores the index of each atom as the x coordinate of a conformer, because reactions of RDKit keep
/// coordinates but lose atom properties.
void number_atoms(RDKit::ROMol& molecule);

/// Stores numbers[i] as the number of atom i. `numbers` has one element for each atom.
void number_atoms(RDKit::ROMol& molecule, const std::vector<std::uint32_t>& numbers);

/// Returns the atoms in the order of the last SMILES that RDKit has written for the molecule. Returns an
/// empty list if RDKit has not written a SMILES.
std::vector<unsigned> smiles_order(const RDKit::ROMol& molecule);

/// Returns the numbers from number_atoms() in the order of the last SMILES, or an empty list if they are
/// lost.
std::vector<std::uint32_t> numbers_in_smiles_order(const RDKit::ROMol& molecule);

/// Returns a copy with the atoms in the order of the canonical SMILES and numbered by number_atoms(). Results
/// therefore do not depend on the spelling. If RDKit does not know the order, returns a copy without numbers.
std::unique_ptr<RDKit::ROMol> in_canonical_order(const RDKit::ROMol& drawn);

}  // namespace molgauge::chem
