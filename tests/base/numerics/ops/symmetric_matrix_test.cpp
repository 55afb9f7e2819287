#include "base/numerics/ops/linear_algebra/symmetric_matrix.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>


namespace molgauge::ops {
namespace {

/// Compares the moments with sums in plain order.
TEST(Moments, AreThoseOfTheRows) {
  constexpr std::size_t kWidth = 67, kRows = 131;
  std::mt19937 random(3);
  std::normal_distribution<float> noise;
  std::vector<float> rows(kRows * kWidth);
  for (float& number : rows) {
    number = 1 + noise(random);
  }
  const Moments moments = moments_of(rows, kWidth, 2);
  for (std::size_t i = 0; i < kWidth; ++i) {
    for (std::size_t j = 0; j < kWidth; ++j) {
      double sum = 0;
      for (std::size_t row = 0; row < kRows; ++row) {
        sum += (rows[row * kWidth + i] - moments.mean[i]) * (rows[row * kWidth + j] - moments.mean[j]);
      }
      EXPECT_NEAR(moments.covariance[i * kWidth + j], sum / kRows, 1e-12);
    }
  }
  EXPECT_EQ(moments_of(rows, kWidth, 1).covariance, moments.covariance);
}

TEST(Cholesky, SolvesAndRefuses) {
  const std::vector<double> lower = cholesky({4, 2, 2, 3}, 2);
  const std::vector<double> solution = solve(lower, {8, 8}, 2);
  EXPECT_NEAR(solution[0], 1, 1e-12);
  EXPECT_NEAR(solution[1], 2, 1e-12);
  EXPECT_THROW(cholesky({1, 2, 2, 1}, 2), std::invalid_argument);
}

TEST(Cholesky, AndTheInverseAreThoseOfPlainLoops) {
  constexpr std::size_t kWidth = 43;
  std::mt19937 random(5);
  std::normal_distribution<float> noise;
  std::vector<float> rows(3 * kWidth * kWidth);
  for (float& number : rows) {
    number = noise(random);
  }
  const std::vector<double> matrix = moments_of(rows, kWidth, 1).covariance;
  const std::vector<double> lower = cholesky(matrix, kWidth), inverse = inverse_of_lower(lower, kWidth);
  for (std::size_t i = 0; i < kWidth; ++i) {
    for (std::size_t j = 0; j < kWidth; ++j) {
      double sum = matrix[i * kWidth + j], negative = 0;
      for (std::size_t k = 0; k < std::min(i, j); ++k) {
        sum -= lower[i * kWidth + k] * lower[j * kWidth + k];
      }
      for (std::size_t k = j; k < i; ++k) {
        negative -= lower[i * kWidth + k] * inverse[k * kWidth + j];
      }
      const double diagonal = lower[i * kWidth + i];
      EXPECT_NEAR(lower[i * kWidth + j],
                  j > i   ? 0
                  : j < i ? sum / lower[j * kWidth + j]
                          : std::sqrt(sum),
                  1e-12);
      EXPECT_NEAR(inverse[i * kWidth + j], j > i ? 0 : j < i ? negative / diagonal : 1 / diagonal, 1e-12);
    }
  }
}

}  // namespace
}  // namespace molgauge::ops
