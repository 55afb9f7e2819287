#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "numerics/ops/linear_algebra/symmetric_matrix.h"

namespace headroom::domain {

/// Least squares with a penalty on the coefficients of standardised features (Hoerl and Kennard 1970):
/// minimises sum (y - a - z b)^2 + penalty n |b|^2. Features without variance are ignored.
class RidgeRegression {
 public:
  /// rows [n, width], values [n], n >= 1.
  RidgeRegression(std::span<const float> rows, std::span<const double> values, std::size_t width,
                  std::size_t threads);

  /// Fits the coefficients for this penalty. Call it before predict(), once for each penalty.
  void fit(double penalty);
  double predict(std::span<const float> row) const;
  double mean() const { return mean_value_; }

 private:
  std::size_t width_;
  ops::Moments moments_;
  std::vector<double> deviation_, products_;  ///< products_: Z'y/n
  std::vector<double> coefficients_;
  double mean_value_ = 0;
};

}  // namespace headroom::domain
