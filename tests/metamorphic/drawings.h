#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "molecules/chem/record.h"
#include "rows_of_table.h"

namespace molgauge::test {

chem::MoleculeRecord record_of(const std::string& smiles);

/// Another drawing of a molecule.
struct Drawing {
  Change change;
  std::string smiles;
};

/// The drawings of one molecule. The first has the change `none` and is the SMILES of the molecule as given.
struct DrawnMolecule {
  std::vector<Drawing> drawings;
  std::size_t misperceived = 0;  ///< drawings that RDKit reads as another molecule. They are left out
  bool has_chirality_tags = false;
  bool is_standard = false;  ///< standardisation does not change the molecule, so it is used as written
};

/// Returns the drawings of a molecule. `seed` chooses the random orders of atoms. `orders`: the number of
/// random orders. A change that does not apply, such as a hydrochloride of a molecule without an amine, is
/// left out. Throws chem::InvalidMolecule.
DrawnMolecule draw(const std::string& smiles, unsigned seed, std::size_t orders);

/// Returns RDKit's canonical SMILES of the parent, or an empty text if Molgauge refuses the molecule.
std::string parent_of(const std::string& smiles);

/// Returns the molecule as a record of an SDF file with 2D coordinates. Returns an empty text if RDKit reads
/// another molecule from the record.
std::string sdf_record(const std::string& smiles, const std::string& id);

}  // namespace molgauge::test
