#include "base/numerics/ops/linear_algebra/symmetric_matrix.h"

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

}  // namespace
}  // namespace molgauge::ops
