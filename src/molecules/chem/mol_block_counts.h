#pragma once

#include <string>
#include <string_view>

namespace molgauge::chem {

/// Returns the reason for refusing a mol block (V2000 or V3000) that claims more atoms, bonds or list items
/// than it has lines. Empty if all counts are possible. RDKit allocates memory for the counts before it reads
/// the block, so a line of thirty characters could cost gigabytes.
std::string excessive_claim(std::string_view block);

}  // namespace molgauge::chem
