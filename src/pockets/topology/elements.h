#pragma once

#include <string_view>

namespace molgauge::pocket {

/// Returns the atomic number of the element with the nearest standard atomic mass (amu, IUPAC 2021). Returns
/// 0 for masses below 0.5, because they belong to virtual sites. Never returns helium, because masses of 2 to
/// 4 amu are hydrogens with repartitioned mass.
int element_of_mass(double mass);

/// Returns the atomic number of an element symbol in upper or lower case, such as "C", "Mg" or "MG". Returns
/// 0 for other texts.
int element_of_symbol(std::string_view symbol);

}  // namespace molgauge::pocket
