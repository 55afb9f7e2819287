#include "models/domain/ridge.h"

#include <cmath>
#include <numeric>

namespace headroom::domain {

RidgeRegression::RidgeRegression(std::span<const float> rows, std::span<const double> values,
                                 std::size_t width, std::size_t threads)
    : width_(width), moments_(ops::moments_of(rows, width, threads)), deviation_(width), products_(width) {
  const auto count = static_cast<double>(values.size());
  mean_value_ = std::accumulate(values.begin(), values.end(), 0.0) / count;
  for (std::size_t i = 0; i < width; ++i) {
    const double variance = moments_.covariance[i * width + i];
    deviation_[i] = variance > 1e-12 ? std::sqrt(variance) : 0;
  }
  for (std::size_t row = 0; row < values.size(); ++row) {
    for (std::size_t i = 0; i < width; ++i) {
      products_[i] += (rows[row * width + i] - moments_.mean[i]) * (values[row] - mean_value_);
    }
  }
  for (std::size_t i = 0; i < width; ++i) {
    products_[i] = deviation_[i] > 0 ? products_[i] / deviation_[i] / count : 0;
    for (std::size_t j = 0; j < width; ++j) {
      const double scale = deviation_[i] * deviation_[j];
      double& value = moments_.covariance[i * width + j];
      value = scale > 0 ? value / scale : 0;
    }
  }
}

void RidgeRegression::fit(double penalty) {
  std::vector<double> matrix = moments_.covariance;
  for (std::size_t i = 0; i < width_; ++i) {
    matrix[i * width_ + i] += penalty;
  }
  coefficients_ = ops::solve(ops::cholesky(std::move(matrix), width_), products_, width_);
}

double RidgeRegression::predict(std::span<const float> row) const {
  double value = mean_value_;
  for (std::size_t i = 0; i < width_; ++i) {
    if (deviation_[i] > 0) {
      value += coefficients_[i] * (row[i] - moments_.mean[i]) / deviation_[i];
    }
  }
  return value;
}

}  // namespace headroom::domain
