#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headroom::domain {

/// Distance to the mean under the covariance of Ledoit and Wolf (2004, "A well-conditioned estimator for
/// large-dimensional covariance matrices"): S shrunk towards mu I, mu = tr(S)/p, by min(b, d)/d with d = (sum
/// S_ij^2 - 2 mu tr S + p mu^2)/p and b = (sum |x|^4 / n - sum S_ij^2)/(n p). 1e-6 mu is added to its
/// diagonal to make it invertible.
class MahalanobisDistance {
 public:
  /// rows [n, width], n >= 1.
  MahalanobisDistance(std::span<const float> rows, std::size_t width, std::size_t threads);

  /// Distances of rows [m, width]: to[m], not squared. Each depends only on its row. Thread safety: any
  /// number of calls at once.
  void distances(std::span<const float> rows, std::span<float> to) const;

 private:
  std::size_t width_;
  std::vector<double> mean_, inverse_;  ///< inverse_: L^-1 of the covariance L L', lower triangle
};

}  // namespace headroom::domain
