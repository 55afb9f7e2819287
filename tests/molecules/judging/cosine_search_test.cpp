#include "molecules/judging/cosine_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "made_up_molecules.h"

namespace molgauge::domain {
namespace {

double cosine_distance(std::span<const float> one, std::span<const float> other) {
  double product = 0, squares = 0, other_squares = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    product += static_cast<double>(one[i]) * other[i];
    squares += static_cast<double>(one[i]) * one[i];
    other_squares += static_cast<double>(other[i]) * other[i];
  }
  return 1 - product / std::sqrt(squares * other_squares);
}

TEST(CosineSearch, GivesEveryDistanceInTheOrderOfTheRows) {
  std::mt19937 random(4);
  constexpr std::size_t kWidth = 19;
  const Molecules points = made_up_molecules(203, random, 20, kWidth),
                  queries = made_up_molecules(3, random, 20, kWidth);
  const CosineSearch search(points.features, kWidth);
  std::vector<std::vector<float>> found(queries.size());
  search.for_all_distances(unit_rows(queries.features, kWidth),
                           [&](std::size_t query, std::size_t first, std::span<const float> distances) {
                             EXPECT_EQ(first, found[query].size());
                             found[query].insert(found[query].end(), distances.begin(), distances.end());
                           });
  for (std::size_t q = 0; q < queries.size(); ++q) {
    ASSERT_EQ(found[q].size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_NEAR(found[q][i], cosine_distance(queries.row(q), points.row(i)), 1e-6);
    }
  }
}

TEST(CosineSearch, ARowOfZerosIsHalfAwayFromAllOthers) {
  const CosineSearch search(std::vector<float>{0, 0, 0, 2}, 2);
  search.for_all_distances(std::vector<float>{0, 1},
                           [](std::size_t, std::size_t, std::span<const float> distances) {
                             EXPECT_EQ(distances[0], 0.5F);
                             EXPECT_EQ(distances[1], 0);
                           });
}

TEST(CosineSearch, RefusesWhatIsNotFinite) {
  EXPECT_THROW(CosineSearch(std::vector<float>{1, std::numeric_limits<float>::quiet_NaN()}, 2), InputError);
}

}  // namespace
}  // namespace molgauge::domain
