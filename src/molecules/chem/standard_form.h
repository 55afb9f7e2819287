#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <GraphMol/RWMol.h>

#include "molecules/chem/standardize.h"

namespace molgauge::chem {

/// A standardised molecule, and the positions of its atoms in the drawn molecule.
struct StandardForm {
  /// The molecule, read from `smiles`. Null if the drawn molecule is already standard.
  std::unique_ptr<RDKit::RWMol> molecule;
  std::string smiles;  ///< canonical SMILES of the standardised molecule
  /// Canonical SMILES of the parent. It differs from `smiles` only if another tautomer was chosen.
  std::string parent_smiles;
  /// For each atom of `molecule`: the index of the same atom in the drawn molecule. The list is empty if
  /// `molecule` is null, or if RDKit lost track of the atoms.
  std::vector<std::uint32_t> atoms;
};

/// Standardises a molecule from read_molecule(). `drawn_smiles`: the canonical SMILES of `drawn`. It must be
/// the last SMILES that was made from this object, because RDKit stores the order of its atoms in the object.
/// Call it only within with_rdkit(). standardize.h states the rules.
StandardForm standard_form(const RDKit::ROMol& drawn, const std::string& drawn_smiles,
                           Standardization standardization);

/// Returns true if no rule of Standardize::parent can apply to a molecule without isotope labels, so that the
/// molecule is its own parent. Such a molecule is one fragment of common non-metals. It has no charges and no
/// bonds such as N#N, N=O and S=O, except in nitro and sulfonyl groups.
bool is_plainly_standard(const RDKit::ROMol& molecule);

/// Returns true only if is_plainly_standard() of the molecule would return true and no atom has an isotope
/// label. Scans the text of the SMILES
/// without parsing it. May return false for a molecule that is plainly standard.
bool is_plainly_standard(const std::string& smiles);

}  // namespace molgauge::chem
