#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "server/molecule_lists.h"

namespace molgauge::serve {

/// Estimates the work for a molecule. The unit is the work for one atom of a small molecule. Counts the atoms
/// in the SMILES without parsing it. Above 100 atoms, the cost grows with the cube of the number of atoms,
/// like the time of RDKit's scaffold decomposition.
std::size_t cost_of(std::string_view smiles);

/// The cost of a list.
std::size_t cost_of(const std::vector<ListedMolecule>& list);

/// The maximum cost of a list that is answered at once, equal to 256 molecules with 60 atoms.
inline constexpr std::size_t kMaxCostAtOnce = std::size_t{256} * 60;

}  // namespace molgauge::serve
