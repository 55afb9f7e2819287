#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <GraphMol/RWMol.h>

#include "chem/standardize.h"

namespace headroom::chem {

/// A standardised molecule, and the positions of its atoms in the drawn molecule.
struct StandardForm {
  /// the molecule as read from its canonical SMILES
  std::unique_ptr<RDKit::RWMol> molecule;
  std::string smiles;         ///< canonical SMILES. If the drawn molecule is already standard, the SMILES of
                              ///< the drawn molecule
  std::string parent_smiles;  ///< canonical SMILES of the parent; equals `smiles` unless another tautomer was
                              ///< chosen
  /// For each atom of `molecule`: the index of the same atom in the drawn molecule. The list is empty if
  /// `molecule` is null, or if RDKit lost track of the atoms.
  std::vector<std::uint32_t> atoms;
};

/// Standardises a molecule from read_molecule(). `drawn_smiles`: the canonical SMILES of `drawn`. It must be
/// the last SMILES that was made from this object, because RDKit stores the order of its atoms in the object.
/// To be called within with_rdkit(). standardize.h states the rules.
StandardForm standard_form(const RDKit::ROMol& drawn, const std::string& drawn_smiles, Standardize mode);

/// Returns true if no rule of Standardize::parent can apply, so that the molecule is its own parent. Such a
/// molecule is one fragment of common non-metals. It has no charges and no bonds such as N#N, N=O and S=O,
/// except in nitro groups.
bool is_plainly_standard(const RDKit::ROMol& molecule);

/// Decides the same from the text of a SMILES, without parsing it. Returns false if in doubt. If it returns
/// true, the function for the molecule also returns true.
bool is_plainly_standard(const std::string& smiles);

}  // namespace headroom::chem
