#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headroom::chem {

/// The approximation of a function's inverse second derivatives that BFGS improves from step to step (Nocedal
/// and Wright, Numerical Optimization, chapter 6): a symmetric matrix of double precision, at first the
/// identity.
///
/// Each number is the same sum in the same order that RDKit's minimiser has, so that what comes of it is the
/// same to the last bit. RDKit adds up one row after the other, where each addition waits for the one before;
/// here, as the matrix is symmetric, the rows' sums go side by side.
class InverseHessian {
 public:
  explicit InverseHessian(std::size_t width);

  /// product [width] = this matrix * vector [width].
  void multiply(std::span<const double> vector, std::span<double> product) const;

  /// The change from one step to the next, [width] each.
  struct Change {
    std::span<const double> step;              ///< s: of the positions
    std::span<const double> product;           ///< H y: this matrix times the change y of the gradient
    std::span<const double> curvature;         ///< s / (s . y) - H y / (y . H y)
    double of_step, of_product, of_curvature;  ///< factors 1 / (s . y), 1 / (y . H y) and y . H y
  };
  /// H += of_step s s' - of_product (H y)(H y)' + of_curvature u u', with u as `curvature`.
  void update(const Change& change);

 private:
  std::size_t width_;
  std::vector<double> rows_;  ///< [width, width]
};

}  // namespace headroom::chem
