#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/numerics/ops/linear_algebra/symmetric_matrix.h"

namespace molgauge::domain {

/// Least squares with a penalty on the coefficients of standardised features (Hoerl and Kennard 1970):
/// minimises sum (y - a - z b)^2 + penalty n |b|^2. Features without variance are ignored. If there are fewer
/// rows than features, the dual problem is solved, which is faster and has the same solution.
class RidgeRegression {
 public:
  /// rows [n, width], values [n], n >= 1.
  RidgeRegression(std::span<const float> rows, std::span<const double> values, std::size_t width,
                  std::size_t threads);

  /// Fits the coefficients for this penalty. Call it before predict(), once for each penalty.
  void fit(double penalty);
  double predict(std::span<const float> row) const;
  /// The intercept, followed by the weight of each feature that is not standardised [width + 1].
  std::vector<double> linear() const;
  double mean() const { return mean_value_; }

 private:
  void prepare_primal(std::span<const float> rows, std::span<const double> values, std::size_t threads);
  void prepare_dual(std::span<const float> rows, std::span<const double> values, std::size_t threads);

  std::size_t width_;
  std::vector<double> mean_, deviation_;
  std::vector<double> matrix_;        ///< Z'Z/n [width, width], or ZZ'/n [n, n] for the dual problem
  std::vector<double> right_;         ///< Z'y/n [width], or y/n [n] for the dual problem
  std::vector<double> standardised_;  ///< Z [n, width] for the dual problem, otherwise empty
  std::vector<double> coefficients_;
  double mean_value_ = 0;
};

}  // namespace molgauge::domain
