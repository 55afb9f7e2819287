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

  /// False where a pivot was zero: nothing else may be asked then.
  bool is_usable() const { return factor_.info() == Eigen::Success; }

  /// X of (A + shift * I) X = right.
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right) const { return factor_.solve(right); }

  /// How many eigenvalues of A lie below -shift: as many as D has negative entries (Sylvester's law of
  /// inertia). What rounding can have moved them by is bounded by the size of |L||D||L'|; nothing is said
  /// where that reaches `resolution`.
  std::optional<Eigen::Index> eigenvalues_below(double resolution) const;

 private:
  Eigen::SimplicialLDLT<SparseMatrix> factor_;
};

}  // namespace headroom::encoders::minimol
