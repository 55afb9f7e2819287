#pragma once

#include <string>
#include <string_view>

namespace headroom::chem {

/// Why a mol block (V2000 or V3000) claims more than its lines can hold: atoms, bonds, or items of a list;
/// empty where it does not. RDKit makes room for what is claimed before it reads it: a line of thirty
/// characters would take gigabytes.
std::string excessive_claim(std::string_view block);

}  // namespace headroom::chem
