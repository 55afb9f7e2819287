#include "molecules/judging/mahalanobis_distance.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace molgauge::domain {
namespace {

std::vector<float> distances(const MahalanobisDistance& distance, const std::vector<float>& rows,
                             std::size_t width) {
  std::vector<float> found(rows.size() / width);
  distance.distances(rows, found);
  return found;
}

/// Many rows of independent coordinates. There is hardly any shrinkage, and each coordinate counts in units
/// of its standard deviation.
TEST(MahalanobisDistance, CountsInDeviations) {
  std::mt19937 random(1);
  std::normal_distribution<float> noise;
  std::vector<float> rows;
  for (int i = 0; i < 20000; ++i) {
    rows.insert(rows.end(), {noise(random), 2 * noise(random), 1 + noise(random)});
  }
  const MahalanobisDistance distance(rows, 3, 2);
  const std::vector<float> found = distances(distance, {0, 0, 1, 0, 6, 1, 3, 0, 5}, 3);
  EXPECT_NEAR(found[0], 0, 0.05);
  EXPECT_NEAR(found[1], 3, 0.1);
  EXPECT_NEAR(found[2], 5, 0.1);
}

TEST(MahalanobisDistance, OfEqualRowsIsFinite) {
  const MahalanobisDistance distance(std::vector<float>{1, 2, 1, 2}, 2, 1);
  const std::vector<float> found = distances(distance, {1, 2, 2, 2}, 2);
  EXPECT_EQ(found[0], 0);
  EXPECT_TRUE(std::isfinite(found[1]));
  EXPECT_GT(found[1], 0);
}

/// The distance of a row is the same alone and among other rows, at any position.
TEST(MahalanobisDistance, DependsOnTheRowAlone) {
  std::mt19937 random(2);
  std::normal_distribution<float> noise;
  std::vector<float> rows(70 * 5);
  for (float& number : rows) {
    number = noise(random);
  }
  const MahalanobisDistance distance(rows, 5, 2);
  const std::vector<float> together = distances(distance, rows, 5);
  for (std::size_t row = 0; row < 70; ++row) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(row * 5);
    EXPECT_EQ(distances(distance, {first, first + 5}, 5).front(), together[row]) << row;
  }
}

/// The distances of a left-out group come close to the distances under a fit without the group. The shrinkage
/// of the two fits differs slightly.
TEST(MahalanobisDistance, OfALeftOutGroupIsThatOfAFitWithoutIt) {
  std::mt19937 random(3);
  std::normal_distribution<float> noise;
  constexpr std::size_t kWidth = 6, kRows = 400;
  std::vector<float> rows(kRows * kWidth);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = noise(random) * static_cast<float>(1 + i % kWidth) + (i < 3 * kWidth ? 4.0F : 0.0F);
  }
  const MahalanobisDistance all(rows, kWidth, 1);
  for (const std::size_t group : {std::size_t{1}, std::size_t{3}, std::size_t{60}}) {
    const auto out = std::span(rows).first(group * kWidth), rest = std::span(rows).subspan(group * kWidth);
    std::vector<float> found(group), refitted(group);
    all.left_out_distances(all.whitened(out), found);
    MahalanobisDistance(rest, kWidth, 1).distances(out, refitted);
    for (std::size_t i = 0; i < group; ++i) {
      EXPECT_NEAR(found[i], refitted[i], 0.02 * refitted[i]) << group;
    }
  }
}

}  // namespace
}  // namespace molgauge::domain
