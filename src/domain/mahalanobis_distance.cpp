#include "domain/mahalanobis_distance.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ops/each_processor.h"
#include "ops/linear_algebra/symmetric_matrix.h"

namespace headroom::domain {
namespace {

constexpr double kAddedShare = 1e-6;

/// Rows that are processed together: a number of L^-1 is read once for all of them.
constexpr std::size_t kSideBySide = 16;

using Lanes = double __attribute__((vector_size(64), aligned(8)));

/// |L^-1 x|^2 of the rows x. centred [width, kSideBySide]; each sum is in the order of the coordinates.
HEADROOM_FOR_EACH_PROCESSOR
void squared_lengths(std::size_t width, const double* inverse, const double* centred, double* squares) {
  Lanes low = {}, high = {};
  for (std::size_t i = 0; i < width; ++i) {
    Lanes low_sum = {}, high_sum = {};
    for (std::size_t k = 0; k <= i; ++k) {
      const double factor = inverse[i * width + k];
      const auto* const own = reinterpret_cast<const Lanes*>(centred + k * kSideBySide);
      low_sum += factor * own[0];
      high_sum += factor * own[1];
    }
    low += low_sum * low_sum;
    high += high_sum * high_sum;
  }
  auto* const to = reinterpret_cast<Lanes*>(squares);
  to[0] = low;
  to[1] = high;
}

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

/// L^-1 of a lower triangle; it is a lower triangle, too.
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
  std::vector<double> centred(width_ * kSideBySide);
  std::array<double, kSideBySide> squares{};
  for (std::size_t first = 0; first < to.size(); first += kSideBySide) {
    const std::size_t count = std::min(kSideBySide, to.size() - first);
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t i = 0; i < width_; ++i) {
        centred[i * kSideBySide + row] = rows[(first + row) * width_ + i] - mean_[i];
      }
    }
    squared_lengths(width_, inverse_.data(), centred.data(), squares.data());
    for (std::size_t row = 0; row < count; ++row) {
      to[first + row] = static_cast<float>(std::sqrt(squares[row]));
    }
  }
}

}  // namespace headroom::domain
