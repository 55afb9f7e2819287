#include "base/numerics/ops/linear_algebra/principal_map.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace molgauge::ops {
namespace {

TEST(PrincipalMap, FindsTheDirectionsOfMostVariance) {
  std::mt19937 random(1);
  std::normal_distribution<float> noise;
  std::vector<float> rows;
  for (int i = 0; i < 3000; ++i) {
    const float along = 5 * noise(random), across = 2 * noise(random);
    rows.insert(rows.end(), {along, along, across, noise(random) / 4});
  }
  const PrincipalMap map = principal_map(rows, 4, 1);
  EXPECT_NEAR(map.directions[0][0], std::sqrt(0.5), 0.02);
  EXPECT_NEAR(map.directions[0][1], std::sqrt(0.5), 0.02);
  EXPECT_NEAR(map.directions[1][2], 1, 0.02);
  EXPECT_GT(map.shares[0], 0.9);
  const auto at = map.place(std::vector<float>{1, 1, 0, 0});
  EXPECT_NEAR(at[0], std::sqrt(2.0), 0.3);
}

/// Fewer rows than coordinates take another way to the same directions.
TEST(PrincipalMap, OfFewRowsIsThatOfTheSameRowsRepeated) {
  constexpr std::size_t kRows = 9, kColumns = 20;
  std::mt19937 random(4);
  std::normal_distribution<float> noise;
  std::vector<float> few;
  for (std::size_t i = 0; i < kRows * kColumns; ++i) {
    few.push_back(1 + noise(random) * static_cast<float>(i % kColumns < 2 ? 8 >> i % kColumns : 1));
  }
  std::vector<float> many;
  for (int i = 0; i < 3; ++i) {
    many.insert(many.end(), few.begin(), few.end());
  }
  const PrincipalMap small = principal_map(few, kColumns, 1), large = principal_map(many, kColumns, 2);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(small.shares[i], large.shares[i], 1e-9);
    for (std::size_t j = 0; j < kColumns; ++j) {
      EXPECT_NEAR(small.directions[i][j], large.directions[i][j], 1e-6);
    }
  }
}

TEST(PrincipalMap, OfEqualRowsPutsAllInOnePlace) {
  const PrincipalMap map = principal_map(std::vector<float>{1, 2, 1, 2, 1, 2}, 2, 1);
  const auto at = map.place(std::vector<float>{1, 2});
  EXPECT_EQ(at[0], 0);
  EXPECT_EQ(at[1], 0);
}

}  // namespace
}  // namespace molgauge::ops
