#pragma once

#include <optional>

#include "molecules/chem/conformers/fast/terms.h"

namespace RDKit {
class ROMol;
}

namespace molgauge::chem::fast {

/// Reads the parameters of MMFF94 for a molecule with hydrogens from RDKit. Pairs in different fragments have
/// no nonbonded terms. Returns nothing if MMFF94 lacks an atom type.
std::optional<ForceFieldTerms> force_field_terms(RDKit::ROMol& molecule);

}  // namespace molgauge::chem::fast
