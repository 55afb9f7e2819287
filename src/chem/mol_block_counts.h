#pragma once

#include <string>
#include <string_view>

namespace headroom::chem {

/// The reason why a mol block (V2000 or V3000) is refused for counts of atoms, bonds or list items that
/// exceed its lines. Empty if no count does. RDKit allocates memory for the counts before it reads the block,
/// so a line of thirty characters could take gigabytes.
std::string excessive_claim(std::string_view block);

}  // namespace headroom::chem
