#pragma once

#include <string>

#include <GraphMol/RWMol.h>

namespace molgauge::chem {

/// Removes the configuration of stereocentres in AND or OR groups (|&1:...|, |o1:...|), which does not belong
/// to the identity of the molecule. A racemate therefore equals the drawing with unspecified stereocentres
/// and differs from each enantiomer. Call it only within with_rdkit().
void bring_to_identity_form(RDKit::RWMol& molecule);

/// Removes the stereochemistry, and hydrogens that were kept only because they showed it, as in [H]/N=C/F.
void remove_stereochemistry(RDKit::RWMol& molecule);

/// Returns RDKit's canonical SMILES without stereochemistry. Isotopes are kept. `smiles`: the canonical
/// SMILES of the molecule. If it has no stereochemistry, it is returned unchanged.
std::string flat_smiles(const RDKit::ROMol& molecule, const std::string& smiles);

}  // namespace molgauge::chem
