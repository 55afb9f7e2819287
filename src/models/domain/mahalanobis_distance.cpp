#include "models/domain/mahalanobis_distance.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/ops/linear_algebra/symmetric_matrix.h"

namespace headroom::domain {
namespace {

constexpr double kAddedShare = 1e-6;

std::vector<double> shrunk(const ops::Moments& moments, std::size_t width) {
  std::vector<double> covariance = moments.covariance;
  const auto n = static_cast<double>(moments.rows), p = static_cast<double>(width);
  double trace = 0, squares = 0;
  for (std::size_t i = 0; i < width; ++i) {
    trace += covariance[i * width + i];
  }
  for (const double value : covariance) {
    squares += value * value;
  }
  const double mu = trace / p, delta = (squares - 2 * mu * trace + p * mu * mu) / p;
  const double beta = std::min((moments.fourth_moments / n - squares) / (n * p), delta);
  const double shrinkage = delta > 0 ? std::max(0.0, beta / delta) : 0;
  for (double& value : covariance) {
    value *= 1 - shrinkage;
  }
  for (std::size_t i = 0; i < width; ++i) {
    covariance[i * width + i] += shrinkage * mu + (mu > 0 ? kAddedShare * mu : 1);
  }
  return covariance;
}

/// Returns the inverse of a lower triangular matrix, which is also lower triangular.
std::vector<double> inverse_of(const std::vector<double>& lower, std::size_t width) {
  std::vector<double> inverse(width * width, 0);
  for (std::size_t column = 0; column < width; ++column) {
    inverse[column * width + column] = 1 / lower[column * width + column];
    for (std::size_t row = column + 1; row < width; ++row) {
      double sum = 0;
      for (std::size_t k = column; k < row; ++k) {
        sum -= lower[row * width + k] * inverse[k * width + column];
      }
      inverse[row * width + column] = sum / lower[row * width + row];
    }
  }
  return inverse;
}

}  // namespace

MahalanobisDistance::MahalanobisDistance(std::span<const float> rows, std::size_t width, std::size_t threads)
    : width_(width) {
  ops::Moments moments = ops::moments_of(rows, width, threads);
  inverse_ = inverse_of(ops::cholesky(shrunk(moments, width), width), width);
  mean_ = std::move(moments.mean);
}

void MahalanobisDistance::distances(std::span<const float> rows, std::span<float> to) const {
  std::vector<double> centred(width_ * ops::kSideBySide);
  std::array<double, ops::kSideBySide> squares{};
  for (std::size_t first = 0; first < to.size(); first += ops::kSideBySide) {
    const std::size_t count = std::min(ops::kSideBySide, to.size() - first);
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t i = 0; i < width_; ++i) {
        centred[i * ops::kSideBySide + row] = rows[(first + row) * width_ + i] - mean_[i];
      }
    }
    ops::squared_lengths(inverse_, width_, centred.data(), squares);
    for (std::size_t row = 0; row < count; ++row) {
      to[first + row] = static_cast<float>(std::sqrt(squares[row]));
    }
  }
}

}  // namespace headroom::domain
