#pragma once

#include <memory>
#include <string>

#include <GraphMol/RWMol.h>

#include "chem/record.h"

namespace headroom::chem {

/// How far RDKit processes a record.
enum class Preparation {
  as_written,      ///< the atoms and bonds of the text, including explicit hydrogens
  sanitised,       ///< RDKit's defaults
  with_hydrogens,  ///< like `sanitised`, but explicit hydrogens stay separate atoms
};

/// RDKit's molecule for a record, with at least one atom. Throws InvalidMolecule with the reason.
std::unique_ptr<RDKit::RWMol> read_molecule(const MoleculeRecord& record,
                                            Preparation preparation = Preparation::sanitised);

/// The molecule of a valid SMILES, read as read_molecule() reads a record. To be called within with_rdkit().
/// Null if RDKit refuses the text.
std::unique_ptr<RDKit::RWMol> parse_smiles(const std::string& smiles);

}  // namespace headroom::chem
