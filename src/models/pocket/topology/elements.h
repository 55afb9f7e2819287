#pragma once

#include <string_view>

namespace headroom::pocket {

/// The atomic number of the element whose standard atomic mass is nearest (amu; IUPAC 2021); 0 for masses
/// below 0.5, which points without an atom have. Helium is passed
/// over: masses of 2 to 4 amu are hydrogens that have taken over some of their neighbour's.
int element_of_mass(double mass);

/// The atomic number of a symbol in any case, "C" or "MG"; 0 for another text.
int element_of_symbol(std::string_view symbol);

}  // namespace headroom::pocket
