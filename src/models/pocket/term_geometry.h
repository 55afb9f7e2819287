#pragma once

#include <vector>

#include "numerics/ops/array.h"

/// Angles and dihedrals as they are in space.
namespace headroom::pocket {

/// Minimum length in Angstrom. Smaller lengths are replaced by it, because the direction between coincident
/// atoms is undefined.
inline constexpr float kLeastLength = 1e-6F;

/// The cosine of each angle i, j, k at its centre j, [terms, 1]; positions [n, 3], atoms three arrays
/// [terms].
ops::Floats angle_cosines(const ops::Floats& positions, const std::vector<ops::Integers>& atoms);

/// The cosine and the sine of each dihedral i, j, k, l, [terms, 2]: with b1, b2, b3 from atom to atom, m = b1
/// x b2 and n = b2 x b3 of length 1, m . n and (m x b2 / |b2|) . n. The sine changes its sign in a mirror.
ops::Floats dihedral_turns(const ops::Floats& positions, const std::vector<ops::Integers>& atoms);

}  // namespace headroom::pocket
