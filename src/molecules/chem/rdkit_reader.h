#pragma once

#include <memory>
#include <string>

#include <GraphMol/RWMol.h>

#include "molecules/chem/record.h"

namespace molgauge::chem {

/// How far RDKit processes a record.
enum class Preparation {
  as_written,      ///< the atoms and bonds of the text, including explicit hydrogens and atom-map numbers
  sanitised,       ///< RDKit's defaults, without atom-map numbers
  with_hydrogens,  ///< like `sanitised`, but explicit hydrogens stay separate atoms
};

/// Reads a record as a molecule of RDKit with at least one atom. Throws InvalidMolecule, which contains the
/// reason, if this fails.
std::unique_ptr<RDKit::RWMol> read_molecule(const MoleculeRecord& record,
                                            Preparation preparation = Preparation::sanitised);

/// Reads a SMILES in the same way as read_molecule() reads a record. Returns null if RDKit refuses the text.
/// Call it within with_rdkit().
std::unique_ptr<RDKit::RWMol> parse_smiles(const std::string& smiles);

}  // namespace molgauge::chem
