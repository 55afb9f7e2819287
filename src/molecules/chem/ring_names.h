#pragma once

#include <string>
#include <vector>

#include <GraphMol/ROMol.h>

namespace molgauge::chem {

/// Returns the name of a ring without its substituents, such as "c1ccncc1" or "C1CC=CCC1". A text for the
/// ring can begin at any atom and follow the ring in either direction. The name is the first of these texts
/// in sorted order. Equal rings therefore have equal names. `atoms`: in ring order.
std::string ring_name(const RDKit::ROMol& molecule, const std::vector<int>& atoms);

}  // namespace molgauge::chem
