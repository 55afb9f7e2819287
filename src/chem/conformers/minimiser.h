#pragma once

#include <cstddef>

namespace ForceFields {
class ForceField;
}

namespace headroom::chem {

/// Moves the points of an initialised force field downhill by BFGS (Press et al., Numerical Recipes,
/// sections 9.7 and 10.7), as RDKit's own ForceField::minimize() does and to the same bits, in less time:
/// what that takes beside the forces goes into two products of a matrix and a vector a step
/// (inverse_hessian.h). Returns whether they came to rest within so many steps, where no slope, relative to
/// positions and energy, exceeds `flat`. Throws std::runtime_error where there is no way down, and what RDKit
/// throws; the points are where they were then.
bool minimise(ForceFields::ForceField& field, std::size_t most_steps, double flat);

}  // namespace headroom::chem
