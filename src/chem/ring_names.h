#pragma once

#include <string>
#include <vector>

#include <GraphMol/ROMol.h>

namespace headroom::chem {

/// The name of a ring without its substituents, such as "c1ccncc1" or "C1CC=CCC1": Of all texts that begin at
/// some atom and follow the ring in one of the two directions, the name is the first in sorted order. Equal
/// rings therefore have equal names. `atoms`: in ring order.
std::string ring_name(const RDKit::ROMol& molecule, const std::vector<int>& atoms);

}  // namespace headroom::chem
