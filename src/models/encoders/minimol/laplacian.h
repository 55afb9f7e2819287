#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "chem/neighbours.h"

namespace headroom::encoders::minimol {

/// The positions of atoms in the low-frequency part of their molecule's spectrum. Row-major
/// [n, kEigenpairs] float32, not rounded any further.
struct LaplacianEncoding {
  std::vector<float> eigenvectors;
  std::vector<float> eigenvalues;  ///< repeated for every atom of a component
};

/// Eigenpairs of L = D - A with the smallest eigenvalues, ascending, of each connected component by itself;
/// columns that a component of fewer than kEigenpairs atoms does not have are zero. Eigenvectors have unit
/// norm over their component.
///
/// Signs, and bases of repeated eigenvalues, follow the pivot rule, so that they do not depend on the solver
/// and move with the atoms when these are renumbered (but for atoms that symmetry makes equal, of which the
/// lowest number counts): in the eigenspace with orthonormal basis V, atom p with the longest row
/// V_p gives the column V V_p' / |V_p|, positive at p; its direction is taken out of V before the next
/// column. Throws Error if the solver does not converge.
///
/// Memory grows with the atoms and rings, because only the lowest eigenspaces of a large component are
/// computed (low_spectrum.h). If that finds no proof that they are complete, all eigenpairs are computed.
/// Throws InputError if they would take more than laplacian_bytes(), as for a metal with seventy equal long
/// arms.
LaplacianEncoding laplacian_encoding(const chem::Neighbours& neighbours);

/// The most bytes that laplacian_encoding() takes at its peak besides its result, for so many atoms and
/// directed edges.
std::uint64_t laplacian_bytes(std::size_t atoms, std::size_t edges);

}  // namespace headroom::encoders::minimol
