#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <Eigen/Core>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

namespace molgauge::encoders::minimol {

/// A symmetric sparse matrix. Only its lower triangle is read.
using SparseMatrix = Eigen::SparseMatrix<double>;

/// A + shift * I = P' L D L' P with a sparse L. Tree-like matrices have almost no fill-in.
class ShiftedFactor {
 public:
  ShiftedFactor(const SparseMatrix& matrix, double shift);

  /// Returns false if a pivot was zero. No other method may then be called.
  bool is_usable() const { return factor_.info() == Eigen::Success; }

  /// Solves (A + shift * I) X = right for X.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right) const { return factor_.solve(right); }

  /// The number of eigenvalues of A below -shift, which equals the number of negative entries in D
  /// (Sylvester's law of inertia). The rounding error is bounded by |L||D||L'|. Returns nothing if the bound
  /// is not below `resolution`.
  std::optional<Eigen::Index> eigenvalues_below(double resolution) const;

 private:
  Eigen::SimplicialLDLT<SparseMatrix> factor_;
};

/// Eigenvalues with a smaller difference count as one repeated eigenvalue. Distinct eigenvalues of molecules
/// differ by at least 1e-3, and by 2.5e-6 for a chain of 2,000 atoms. Repeated eigenvalues agree to 5e-15.
inline constexpr double kSameEigenvalue = 1e-6;

struct Eigenpairs {
  Eigen::VectorXd values;   ///< ascending
  Eigen::MatrixXd vectors;  ///< orthonormal columns
};

/// Returns the `wanted` lowest eigenpairs of the Laplacian of a connected graph, and the other eigenpairs of
/// the last eigenspace. The graph must have more than `wanted` vertices.
///
/// Uses block inverse iteration with Rayleigh-Ritz projection. Residuals are below 1e-13 times the norm of
/// the matrix. The inertia of a shifted factorisation proves that no eigenpair is missing (ShiftedFactor).
/// Returns nothing if the proof fails or if the last eigenspace has more than about sixty members.
/// Deterministic.
std::optional<Eigenpairs> lowest_eigenpairs(const SparseMatrix& laplacian, Eigen::Index wanted);

/// Peak bytes, including the result, for this number of vertices and directed edges.
std::uint64_t lowest_eigenpairs_bytes(std::size_t vertices, std::size_t directed_edges);

}  // namespace molgauge::encoders::minimol
