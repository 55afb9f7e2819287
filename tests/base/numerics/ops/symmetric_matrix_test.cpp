#include "base/numerics/ops/linear_algebra/symmetric_matrix.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "base/numerics/ops/cpu/loops.h"
#include "levels.h"

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

std::vector<double> noise_of(std::size_t count) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise;
  std::vector<double> numbers(count);
  for (double& number : numbers) {
    number = noise(random);
  }
  return numbers;
}

using ExactSums = cpu::EveryLevel;

/// Every level gives the bits of plain loops, because products are rounded before they are added.
TEST_P(ExactSums, AreThoseOfPlainLoops) {
  constexpr std::size_t kRows = 131, kTargets = 7, kColumns = 21, kStride = 23;
  const std::vector<double> rows = noise_of(kRows * kStride), factors = noise_of(kRows * kTargets);
  std::vector<double> sums(kTargets * kStride, 0.25), expected = sums;
  cpu::loops().add_multiples({.factors = factors.data(),
                              .to_next_target = 1,
                              .to_next_row = kTargets,
                              .rows = rows.data(),
                              .sums = sums.data(),
                              .stride = kStride,
                              .count = kRows,
                              .targets = kTargets,
                              .width = kColumns});
  for (std::size_t t = 0; t < kTargets; ++t) {
    for (std::size_t i = 0; i < kColumns; ++i) {
      for (std::size_t k = 0; k < kRows; ++k) {
        const volatile double product = factors[k * kTargets + t] * rows[k * kStride + i];
        expected[t * kStride + i] += product;
      }
    }
  }
  EXPECT_EQ(sums, expected);
}

TEST_P(ExactSums, MultiplyALowerTriangle) {
  constexpr std::size_t kWidthOfTriangle = 13;
  std::vector<double> lower = noise_of(kWidthOfTriangle * kWidthOfTriangle);
  const std::vector<double> columns = noise_of(kWidthOfTriangle * kSideBySide);
  std::vector<double> products(columns.size()), expected(columns.size());
  for (std::size_t i = 0; i < kWidthOfTriangle; ++i) {
    for (std::size_t k = 0; k < kWidthOfTriangle; ++k) {
      double& factor = lower[i * kWidthOfTriangle + k];
      factor = k > i ? 0 : factor;
      for (std::size_t c = 0; c < kSideBySide; ++c) {
        const volatile double product = factor * columns[k * kSideBySide + c];
        expected[i * kSideBySide + c] += product;
      }
    }
  }
  multiply_lower(lower, kWidthOfTriangle, columns, products);
  EXPECT_EQ(products, expected);
}

INSTANTIATE_TEST_SUITE_P(Levels, ExactSums, ::testing::ValuesIn(cpu::tested_levels()), cpu::level_name);

}  // namespace
}  // namespace molgauge::ops
