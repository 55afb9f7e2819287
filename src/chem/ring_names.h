#pragma once

#include <string>
#include <vector>

#include <GraphMol/ROMol.h>

namespace headroom::chem {

/// The name of a ring without its substituents, such as "c1ccncc1" or "C1CC=CCC1": the least of the texts
/// that begin at any atom and go round either way. Equal rings have equal names. `atoms`: in ring order.
std::string ring_name(const RDKit::ROMol& molecule, const std::vector<int>& atoms);

}  // namespace headroom::chem
