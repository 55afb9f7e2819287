#pragma once

#include <optional>

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

}  // namespace molgauge::encoders::minimol
