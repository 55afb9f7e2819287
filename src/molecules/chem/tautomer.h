#pragma once

#include <memory>

#include <GraphMol/MolStandardize/Tautomer.h>
#include <GraphMol/RWMol.h>

namespace molgauge::chem {

/// Returns the canonical tautomer of a connected molecule, with its atoms numbered by their indices in
/// `molecule` (molecules/chem/atom_numbers.h). The tautomer is chosen for the molecule without
/// stereochemistry, so stereoisomers have tautomers that differ only in stereochemistry. Stereochemistry is
/// then restored at all atoms and bonds that are the same in all enumerated tautomers. Returns null if RDKit
/// finds no tautomer. Call it only within with_rdkit().
std::unique_ptr<RDKit::ROMol> canonical_tautomer(const RDKit::ROMol& molecule,
                                                 const RDKit::MolStandardize::TautomerEnumerator& enumerator);

}  // namespace molgauge::chem
