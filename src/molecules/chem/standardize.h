#pragma once

#include <string>

#include "molecules/chem/record.h"
#include "molgauge/choices.h"

namespace molgauge::chem {

/// Maximum number of heavy atoms of a parent whose tautomers are enumerated. The tautomer of a larger parent
/// does not change.
inline constexpr unsigned kMaxTautomerAtoms = 100;

/// How molecules are standardised.
struct Standardization {
  Standardization() = default;
  // Converts implicitly, because most callers only choose the mode.
  Standardization(Standardize chosen, bool keeps = false) : mode(chosen), keeps_isotopes(keeps) {}

  Standardize mode = Standardize::none;
  bool keeps_isotopes = false;  ///< only relevant for the modes `parent` and `tautomer`
};

/// Returns the record of the standardised molecule. If the molecule is already standard, returns `record`
/// itself, which keeps its key in the feature store.
///
/// The rules for `parent`:
/// - Isotope labels are removed, unless `keeps_isotopes` is set. [2H] becomes an implicit hydrogen.
/// - A record without an organic fragment stays as it is: salts such as [Na+].[Cl-], HCl, cisplatin.
/// - A record with a metal or metalloid stays as it is, unless every such atom is of one of two kinds. The
///   first kind is a free ion that forms salts (Li, Na, K, Rb, Cs, Mg, Ca, Sr, Ba, Al, Zn, Ag, Bi). The
///   second kind is an alkali or alkaline earth atom drawn with bonds to oxygen or fluorine only, which
///   RDKit's MetalDisconnector separates.
/// - Common counter-ions and solvents (molecules/chem/counter_ions.h) are removed if another organic fragment
/// exists.
///   The parent consists of the remaining organic fragments. Equal fragments are kept once. If several
///   fragments remain, the molecule is a mixture (molecules/chem/remarks.h), and its tautomers are not
///   enumerated.
/// - RDKit's Normalizer, Reionizer and Uncharger are applied to the parent. Charges that no hydrogen can
///   neutralise stay, as in quaternary ammonium salts, nitro groups and N-oxides.
/// If RDKit fails in one of these steps, the molecule stays as it is.
///
/// The text of a changed record is a canonical SMILES. If the input has 3D coordinates, the text is a mol
/// block with the coordinates of the heavy atoms. The result does not depend on the spelling or on the order
/// of the fragments.
///
/// Throws InvalidMolecule if the record is not a molecule. Does not check records that it does not have to
/// parse. These are plain SMILES, and all records in the mode `none`. Thread safety: any number of calls at
/// once.
MoleculeRecord standardized_record(const MoleculeRecord& record, Standardization standardization);

/// Returns false only if standardized_record() returns the record itself for the mode `parent`. Scans the
/// text of a SMILES without parsing it. May return true for a molecule that is already standard, and returns
/// true for every mol block.
bool may_change(const MoleculeRecord& record);

}  // namespace molgauge::chem
