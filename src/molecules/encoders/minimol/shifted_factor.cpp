#include "molecules/encoders/minimol/shifted_factor.h"

#include <limits>

namespace molgauge::encoders::minimol {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Returns |L||D||L'| times a vector of ones. This is the rounding error of each row of the factorisation, in
/// units of the machine precision.
VectorXd rounding_of(const SparseMatrix& strictly_lower, const VectorXd& diagonal) {
  VectorXd columns = VectorXd::Ones(diagonal.size());
  for (Index column = 0; column < strictly_lower.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(strictly_lower, column); entry; ++entry) {
      columns[column] += std::abs(entry.value());
    }
  }
  columns.array() *= diagonal.array().abs();
  VectorXd rows = columns;
  for (Index column = 0; column < strictly_lower.outerSize(); ++column) {
    for (SparseMatrix::InnerIterator entry(strictly_lower, column); entry; ++entry) {
      rows[entry.row()] += std::abs(entry.value()) * columns[column];
    }
  }
  return rows;
}

}  // namespace

ShiftedFactor::ShiftedFactor(const SparseMatrix& matrix, double shift) {
  factor_.setShift(shift);
  factor_.compute(matrix);
}

std::optional<Index> ShiftedFactor::eigenvalues_below(double resolution) const {
  constexpr double kRoundingsAnEntry = 8;
  const VectorXd diagonal = factor_.vectorD();
  const double rounding = kRoundingsAnEntry * std::numeric_limits<double>::epsilon() *
                          rounding_of(factor_.matrixL().nestedExpression(), diagonal).maxCoeff();
  if (!(rounding < resolution)) {
    return std::nullopt;
  }
  return (diagonal.array() < 0).count();
}

}  // namespace molgauge::encoders::minimol
