#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace molgauge::chem {

/// The approximate inverse Hessian matrix of BFGS (Nocedal and Wright, Numerical Optimization, chapter 6): a
/// symmetric matrix in double precision, initially the identity.
///
/// Sums have the same order as in RDKit's minimiser, so results are bit-identical. RDKit adds up one row at a
/// time, and each addition waits for the previous one. This class adds up several rows at once, because the
/// matrix is symmetric.
class InverseHessian {
 public:
  explicit InverseHessian(std::size_t width);

  /// Computes product = this matrix * vector. Both vectors have `width` numbers.
  void multiply(std::span<const double> vector, std::span<double> product) const;

  /// The change from one step to the next. Each vector has `width` numbers.
  struct Change {
    std::span<const double> step;              ///< s: the change of the positions
    std::span<const double> product;           ///< H y: this matrix times the change y of the gradient
    std::span<const double> curvature;         ///< s / (s . y) - H y / (y . H y)
    double of_step, of_product, of_curvature;  ///< factors 1 / (s . y), 1 / (y . H y) and y . H y
  };
  /// Updates this matrix H: H += of_step s s' - of_product (H y)(H y)' + of_curvature u u', where u is
  /// `curvature`.
  void update(const Change& change);

 private:
  std::size_t width_;
  std::vector<double> rows_;  ///< [width, width]
};

}  // namespace molgauge::chem
