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
/// What it takes grows with the atoms and rings: of a large component no more than the lowest eigenspaces are
/// computed (low_spectrum.h). Where that finds no proof that they are all there, which no molecule is known
/// to cause, time grows with the cube of the atoms and memory with their square.
LaplacianEncoding laplacian_encoding(const chem::Neighbours& neighbours);

/// Bytes that laplacian_encoding() takes at its peak beside its result, for so many atoms and directed edges,
/// at most; where large components are not solved whole.
std::uint64_t laplacian_bytes(std::size_t atoms, std::size_t edges);

}  // namespace headroom::encoders::minimol
