#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "serve/molecule_lists.h"

namespace headroom::serve {

/// An estimate of the work for a molecule, in units of an atom of a small molecule. It counts the atoms of
/// the SMILES without reading it. Above 100 atoms it grows with their cube, as RDKit's decomposition into a
/// scaffold does.
std::size_t cost_of(std::string_view smiles);

/// The cost of a list.
std::size_t cost_of(const std::vector<ListedMolecule>& list);

/// The cost up to which a list is answered at once, equal to 256 molecules of some 60 atoms.
inline constexpr std::size_t kMaxCostAtOnce = 256 * 60;

}  // namespace headroom::serve
