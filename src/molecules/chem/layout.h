#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "molecules/chem/record.h"

namespace molgauge::chem {

/// The 2D layout of a structure, from which a page draws the structure. A layout takes a tenth of the bytes
/// of a drawing.
struct Layout {
  struct Atom {
    std::int16_t x = 0, y = 0;  ///< hundredths of RDKit's unit of length (a bond has 1.5 units). y points up
    std::string label;          ///< "NH2", "O-". Empty for a carbon atom without a label
  };
  struct Bond {
    std::uint16_t begin = 0, end = 0;
    /// 1 to 3 for single to triple bonds, 4 for other bonds. Aromatic rings have alternating single and
    /// double bonds.
    std::uint8_t order = 1;
  };
  std::vector<Atom> atoms;  ///< atoms in the order of the record, like Description::around_atoms
  std::vector<Bond> bonds;
};

/// Throws InvalidMolecule, also for more than kMaxDrawnAtoms atoms (molecules/chem/depict.h). Thread safety:
/// any number of calls at once.
Layout lay_out(const MoleculeRecord& record);

}  // namespace molgauge::chem
