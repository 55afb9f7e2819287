#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <Eigen/Core>

#include "models/encoders/minimol/shifted_factor.h"

namespace headroom::encoders::minimol {

/// Eigenvalues closer than this are one repeated eigenvalue. Molecules' distinct ones differ by 1e-3 or more,
/// those of a chain of 2,000 atoms by 2.5e-6; repeated ones come out equal to 5e-15.
inline constexpr double kSameEigenvalue = 1e-6;

struct Eigenpairs {
  Eigen::VectorXd values;   ///< ascending
  Eigen::MatrixXd vectors;  ///< orthonormal columns
};

/// The lowest eigenpairs of the Laplacian of a connected graph of more than `wanted` vertices: `wanted` of
/// them, and whatever belongs to the same repeated eigenvalue as the last.
///
/// Block iteration with the inverse, projected by Rayleigh and Ritz; residuals are below 1e-13 times the
/// matrix's norm. That none is missing, and where the last eigenspace ends, is proved by an inertia
/// (shifted_factor.h). Nothing where that proof fails, or where the last eigenspace has more than some
/// sixty members. The same matrix gives the same numbers.
std::optional<Eigenpairs> lowest_eigenpairs(const SparseMatrix& laplacian, Eigen::Index wanted);

/// Bytes that it takes at its peak, result included, for so many vertices and edges in both directions.
std::uint64_t lowest_eigenpairs_bytes(std::size_t vertices, std::size_t directed_edges);

}  // namespace headroom::encoders::minimol
