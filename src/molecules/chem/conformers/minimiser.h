#pragma once

#include <cstddef>

namespace ForceFields {
class ForceField;
}

namespace molgauge::chem {

/// Moves the points of an initialised force field downhill by BFGS (Press et al., Numerical Recipes, sections
/// 9.7 and 10.7). The results are bit-identical to RDKit's ForceField::minimize(). This function is faster.
/// Apart from the forces, most time goes into two matrix-vector products for each step (inverse_hessian.h).
/// Returns whether the points converged within `most_steps` steps. They have converged if no slope, relative
/// to positions and energy, exceeds `flat`. Throws std::runtime_error if there is no descent direction. Also
/// throws the exceptions of RDKit. After an exception, the points stay at their last positions.
bool minimise(ForceFields::ForceField& field, std::size_t most_steps, double flat);

}  // namespace molgauge::chem
