#pragma once

#include <optional>

namespace RDKit {
class ROMol;
}

namespace molgauge::chem::fast {

/// The result of the refinement by MMFF94.
enum class Refined { converged, not_converged, no_parameters };

/// Embeds a molecule with hydrogens, refines it with MMFF94, and adds the conformer to the molecule. Returns
/// nothing if no conformer with the right stereochemistry was found. The result depends only on the molecule.
std::optional<Refined> add_conformer(RDKit::ROMol& molecule);

}  // namespace molgauge::chem::fast
