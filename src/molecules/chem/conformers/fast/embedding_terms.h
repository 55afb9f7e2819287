#pragma once

#include <optional>

#include "molecules/chem/conformers/fast/terms.h"

namespace RDKit {
class ROMol;
}

namespace molgauge::chem::fast {

/// Reads the knowledge of RDKit about a connected molecule with hydrogens: distance limits, experimental
/// torsion preferences, planar centres, and stereochemistry. Returns nothing if no distances satisfy the
/// limits. Assigns the stereochemistry of the molecule.
std::optional<EmbeddingTerms> embedding_terms(RDKit::ROMol& molecule);

/// The double bonds with known stereochemistry.
std::vector<DoubleBond> stereo_double_bonds(const RDKit::ROMol& molecule);

}  // namespace molgauge::chem::fast
