#pragma once

#include <string>
#include <vector>

#include "pockets/force_field/fragments.h"

namespace molgauge::pocket {

/// RNA with force-field parameters.
struct AssembledRna {
  Topology topology;
  std::vector<Position> positions;
  std::vector<std::string> names;  ///< names of atoms: "C1' of A 17 of chain B"
};

/// Returns the atoms of the fragments, in the order of the residues and of the atoms in their templates.
/// Every hydrogen has coordinates. Throws InputError with the atoms or terms that lack parameters or
/// coordinates.
AssembledRna assemble(const std::vector<Fragment>& fragments, const ForceField& field);

}  // namespace molgauge::pocket
