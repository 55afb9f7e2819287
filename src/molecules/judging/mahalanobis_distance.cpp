#include "molecules/judging/mahalanobis_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/numerics/ops/linear_algebra/symmetric_matrix.h"

namespace molgauge::domain {
namespace {

constexpr double kAddedShare = 1e-6;

struct Shrunk {
  std::vector<double> covariance;
  double shrinkage = 0;
};

Shrunk shrunk(const ops::Moments& moments, std::size_t width) {
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
  return {std::move(covariance), shrinkage};
}

}  // namespace

MahalanobisDistance::MahalanobisDistance(std::span<const float> rows, std::size_t width, std::size_t threads)
    : width_(width), fitted_(rows.size() / width) {
  ops::Moments moments = ops::moments_of(rows, width, threads);
  Shrunk fit = shrunk(moments, width);
  share_ = (1 - fit.shrinkage) / static_cast<double>(fitted_);
  inverse_ = ops::inverse_of_lower(ops::cholesky(std::move(fit.covariance), width), width);
  mean_ = std::move(moments.mean);
}

std::vector<double> MahalanobisDistance::whitened_columns(std::span<const float> rows,
                                                          std::size_t first) const {
  const std::size_t count = std::min(ops::kSideBySide, rows.size() / width_ - first);
  std::vector<double> centred(width_ * ops::kSideBySide), white(centred.size());
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t i = 0; i < width_; ++i) {
      centred[i * ops::kSideBySide + row] = rows[(first + row) * width_ + i] - mean_[i];
    }
  }
  ops::multiply_lower(inverse_, width_, centred, white);
  return white;
}

void MahalanobisDistance::distances(std::span<const float> rows, std::span<float> to) const {
  for (std::size_t first = 0; first < to.size(); first += ops::kSideBySide) {
    const std::vector<double> white = whitened_columns(rows, first);
    std::array<double, ops::kSideBySide> squares{};
    for (std::size_t i = 0; i < width_; ++i) {
      for (std::size_t row = 0; row < ops::kSideBySide; ++row) {
        squares[row] += white[i * ops::kSideBySide + row] * white[i * ops::kSideBySide + row];
      }
    }
    for (std::size_t row = 0; row < std::min(ops::kSideBySide, to.size() - first); ++row) {
      to[first + row] = static_cast<float>(std::sqrt(squares[row]));
    }
  }
}

std::vector<double> MahalanobisDistance::whitened(std::span<const float> rows) const {
  std::vector<double> all(rows.size());
  for (std::size_t first = 0; first < rows.size() / width_; first += ops::kSideBySide) {
    const std::vector<double> white = whitened_columns(rows, first);
    for (std::size_t row = 0; row < std::min(ops::kSideBySide, rows.size() / width_ - first); ++row) {
      for (std::size_t i = 0; i < width_; ++i) {
        all[(first + row) * width_ + i] = white[i * ops::kSideBySide + row];
      }
    }
  }
  return all;
}

void MahalanobisDistance::left_out_distances(std::span<const double> white, std::span<float> to) const {
  const std::size_t size = to.size();
  // rest = I - a K, where K is the Gram matrix of the group. Its inverse gives M = K (I - a K)^-1.
  std::vector<double> rest(size * size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      double product = 0;
      for (std::size_t k = 0; k < width_; ++k) {
        product += white[i * width_ + k] * white[j * width_ + k];
      }
      rest[i * size + j] = (i == j ? 1 : 0) - share_ * product;
    }
  }
  const std::vector<double> lower = ops::inverse_of_lower(ops::cholesky(std::move(rest), size), size);
  std::vector<double> sums(size);
  std::vector<double> diagonal(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) {
      double element = 0;
      for (std::size_t k = std::max(i, j); k < size; ++k) {
        element += lower[k * size + i] * lower[k * size + j];
      }
      element = (element - (i == j ? 1 : 0)) / share_;
      sums[i] += element;
      diagonal[i] = i == j ? element : diagonal[i];
    }
  }
  double all = 0;
  for (const double sum : sums) {
    all += sum;
  }
  // Without the group, the mean moves away from its rows: y' = y + (sum of y in the group) / (n - m).
  const auto n = static_cast<double>(fitted_), others = n - static_cast<double>(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double square = others / n * (diagonal[i] + 2 * sums[i] / others + all / (others * others));
    to[i] = static_cast<float>(std::sqrt(std::max(0.0, square)));
  }
}

}  // namespace molgauge::domain
