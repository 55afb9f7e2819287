#pragma once

#include <memory>

#include <GraphMol/RWMol.h>

namespace molgauge::chem {

/// Whether an atom has an isotope label, such as [2H] or [13CH3].
bool has_isotopes(const RDKit::ROMol& molecule);

/// Removes the isotope labels. Labelled hydrogens become implicit hydrogens. Removes stereochemistry that
/// depends on a label, as in C[C@H]([2H])O. Call it only within with_rdkit().
void remove_isotopes(RDKit::RWMol& molecule);

}  // namespace molgauge::chem
