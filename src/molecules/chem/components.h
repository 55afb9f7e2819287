#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <GraphMol/MolStandardize/Charge.h>
#include <GraphMol/ROMol.h>

namespace molgauge::chem {

/// Returns the main components of a molecule with several fragments: the organic fragments without common
/// counter-ions and solvents (molecules/chem/counter_ions.h), each once. Forms of one component with
/// different charges count as equal. The largest component comes first (by heavy atoms, then mass, then
/// canonical SMILES). Returns nothing if the molecule has no organic fragment. Call it only within
/// with_rdkit().
std::vector<std::unique_ptr<RDKit::ROMol>> main_components(const RDKit::ROMol& molecule,
                                                           RDKit::MolStandardize::Uncharger& uncharger);

/// Returns one molecule with the given components as its fragments, or null without components.
std::unique_ptr<RDKit::ROMol> joined(std::vector<std::unique_ptr<RDKit::ROMol>> components);

/// Returns remarks about a molecule that models seldom know: "radical with 1 unpaired electron" and "mixture
/// of 2 components, taken as one molecule". A mixture has several different organic components, without
/// counter-ions and solvents (main_components()). Returns nothing for most molecules. Call it only within
/// with_rdkit().
std::vector<std::string> remarks_of(const RDKit::ROMol& molecule);

}  // namespace molgauge::chem
