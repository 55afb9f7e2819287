#pragma once

#include <optional>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

namespace headroom::encoders::minimol {

/// A symmetric sparse matrix; its lower triangle is read.
using SparseMatrix = Eigen::SparseMatrix<double>;

/// A + shift * I = P' L D L' P with a sparse L: tree-like matrices fill in by hardly anything.
class ShiftedFactor {
 public:
  ShiftedFactor(const SparseMatrix& matrix, double shift);

  /// False where a pivot was zero: then no other method may be called.
  bool is_usable() const { return factor_.info() == Eigen::Success; }

  /// X of (A + shift * I) X = right.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right) const { return factor_.solve(right); }

  /// The number of eigenvalues of A below -shift, which is that of negative entries in D (Sylvester's law of
  /// inertia). The size of |L||D||L'| bounds the effect of rounding; none is returned where it reaches
  /// `resolution`.
  std::optional<Eigen::Index> eigenvalues_below(double resolution) const;

 private:
  Eigen::SimplicialLDLT<SparseMatrix> factor_;
};

}  // namespace headroom::encoders::minimol
