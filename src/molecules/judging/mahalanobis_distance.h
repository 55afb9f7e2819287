#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace molgauge::domain {

/// Distance to the mean under the covariance of Ledoit and Wolf (2004, "A well-conditioned estimator for
/// large-dimensional covariance matrices"): The covariance S is shrunk towards mu I, where mu = tr(S)/p. The
/// shrinkage is min(b, d)/d, where d = (sum S_ij^2 - 2 mu tr S + p mu^2)/p and b = (sum |x|^4 / n - sum
/// S_ij^2)/(n p). Then 1e-6 mu is added to the diagonal, so that the matrix is invertible.
class MahalanobisDistance {
 public:
  /// rows [n, width], n >= 1.
  MahalanobisDistance(std::span<const float> rows, std::size_t width, std::size_t threads);

  /// Computes the distance of each row of `rows` [m, width] and writes it to `to` [m]. Distances are not
  /// squared. Each depends only on its row. Thread safety: any number of calls at once.
  void distances(std::span<const float> rows, std::span<float> to) const;

  /// Returns L^-1 (row - mean) of each row of `rows` [m, width], with L L' = C. Each depends only on its row.
  std::vector<double> whitened(std::span<const float> rows) const;

  /// Computes the distances of a group of the fitted rows, as if the group had not been fitted, and writes
  /// them to `to` [m]. `white` [m, width]: the whitened rows of the group. The shrinkage stays the same. With
  /// y = x - mean, the covariance C, and a = (1 - shrinkage) / n, the covariance without the group is about n
  /// / (n - m) (C - a sum of y y'). The formula of Sherman, Morrison and Woodbury gives its inverse from the
  /// Gram matrix of the group. Takes m^3 operations.
  void left_out_distances(std::span<const double> white, std::span<float> to) const;

 private:
  /// Whitens the rows from `first` [at most kSideBySide, width]. Returns [width, kSideBySide].
  std::vector<double> whitened_columns(std::span<const float> rows, std::size_t first) const;

  std::size_t width_, fitted_;
  double share_ = 0;                    ///< (1 - shrinkage) / n
  std::vector<double> mean_, inverse_;  ///< inverse_: L^-1 of the covariance L L', lower triangle
};

}  // namespace molgauge::domain
