#pragma once

#include <string>
#include <vector>

#include <GraphMol/ROMol.h>

namespace headroom::chem {

/// A ring without what is attached to it, such as "c1ccncc1" or "C1CC=CCC1": the least of the texts that
/// begin at any of its atoms and go round either way. Equal for equal rings. `atoms`: numbers in ring order.
std::string ring_name(const RDKit::ROMol& molecule, const std::vector<int>& atoms);

}  // namespace headroom::chem
