#include "domain/mahalanobis_distance.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "domain/symmetric_matrix.h"

namespace headroom::domain {
namespace {

/// Many rows of independent coordinates: hardly anything is shrunk, and each counts in units of its
/// deviation.
TEST(MahalanobisDistance, CountsInDeviations) {
  std::mt19937 random(1);
  std::normal_distribution<float> noise;
  std::vector<float> rows;
  for (int i = 0; i < 20000; ++i) {
    rows.insert(rows.end(), {noise(random), 2 * noise(random), 1 + noise(random)});
  }
  const MahalanobisDistance distance(rows, 3, 2);
  EXPECT_NEAR(distance(std::vector<float>{0, 0, 1}), 0, 0.05);
  EXPECT_NEAR(distance(std::vector<float>{0, 6, 1}), 3, 0.1);
  EXPECT_NEAR(distance(std::vector<float>{3, 0, 5}), 5, 0.1);
}

TEST(MahalanobisDistance, OfEqualRowsIsFinite) {
  const MahalanobisDistance distance(std::vector<float>{1, 2, 1, 2}, 2, 1);
  EXPECT_EQ(distance(std::vector<float>{1, 2}), 0);
  EXPECT_TRUE(std::isfinite(distance(std::vector<float>{2, 2})));
  EXPECT_GT(distance(std::vector<float>{2, 2}), 0);
}

TEST(Cholesky, SolvesAndRefuses) {
  const std::vector<double> lower = cholesky({4, 2, 2, 3}, 2);
  const std::vector<double> solution = solve(lower, {8, 8}, 2);
  EXPECT_NEAR(solution[0], 1, 1e-12);
  EXPECT_NEAR(solution[1], 2, 1e-12);
  EXPECT_THROW(cholesky({1, 2, 2, 1}, 2), std::invalid_argument);
}

}  // namespace
}  // namespace headroom::domain
