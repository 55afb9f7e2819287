#pragma once

#include <vector>

#include "base/numerics/ops/array.h"

/// Angles and dihedrals computed from positions.
namespace molgauge::pocket {

/// Minimum length in Angstrom, which replaces smaller lengths. The direction between coincident atoms is
/// undefined.
inline constexpr float kLeastLength = 1e-6F;

/// The cosine of each angle i, j, k with centre j: [terms, 1]. positions [n, 3]; atoms: three arrays [terms].
ops::Floats angle_cosines(const ops::Floats& positions, const std::vector<ops::Integers>& atoms);

/// Returns the cosine and the sine of each dihedral i, j, k, l: [terms, 2]. Let b1, b2 and b3 be the vectors
/// from atom to atom, and let m = b1 x b2 and n = b2 x b3, both normalised. The cosine is m . n, and the sine
/// is (m x b2 / |b2|) . n. Mirroring changes the sign of the sine.
ops::Floats dihedral_turns(const ops::Floats& positions, const std::vector<ops::Integers>& atoms);

}  // namespace molgauge::pocket
