#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "molecules/chem/neighbours.h"

namespace molgauge::encoders::minimol {

/// Laplacian positional encodings of atoms. Row-major [n, kEigenpairs] float32, not rounded to half
/// precision.
struct LaplacianEncoding {
  std::vector<float> eigenvectors;
  std::vector<float> eigenvalues;  ///< the row of a component is repeated for each of its atoms
};

/// Computes the eigenpairs of L = D - A with the smallest eigenvalues, ascending, for each connected
/// component separately. Missing columns of components with fewer than kEigenpairs atoms are zero.
/// Eigenvectors have unit norm over their component.
///
/// Signs and bases of repeated eigenvalues follow the pivot rule. The result does not depend on the solver,
/// and renumbering the atoms only permutes it. Let V be the orthonormal basis of an eigenspace, and p the
/// atom with the longest row V_p. This atom determines the column V V_p' / |V_p|, which is positive at p.
/// Among symmetry-equivalent atoms, p is the one with the lowest number. The direction of this column is
/// removed from V before the next column is determined. Throws Error if the solver does not converge.
///
/// Memory grows with the atoms and rings, because only the lowest eigenspaces of a large component are
/// computed (low_spectrum.h). If their completeness cannot be proved, all eigenpairs are computed. Throws
/// InputError if that would need more than laplacian_bytes(), for example for a metal with seventy equal long
/// arms.
LaplacianEncoding laplacian_encoding(const chem::Neighbours& neighbours);

/// An upper bound of the peak bytes of laplacian_encoding(), excluding its result.
std::uint64_t laplacian_bytes(std::size_t atoms, std::size_t edges);

}  // namespace molgauge::encoders::minimol
