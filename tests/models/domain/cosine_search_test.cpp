#include "models/domain/cosine_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "core/error.h"
#include "made_up_molecules.h"

namespace headroom::domain {
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

TEST(CosineSearch, FindsWhatComparingAllWithAllFinds) {
  std::mt19937 random(1);
  for (const std::size_t width : {3U, 16U, 512U}) {
    const Molecules points = made_up_molecules(333, random, 20, width),
                    queries = made_up_molecules(40, random, 20, width);
    std::vector<std::uint32_t> members;
    for (std::uint32_t i = 0; i < 333; i += 1 + i % 3) {
      members.push_back(i);
    }
    const CosineSearch search(points.features, width, members);
    const auto found = search.nearest(queries.features, 6);
    for (std::size_t q = 0; q < queries.size(); ++q) {
      std::vector<std::pair<double, std::uint32_t>> all;
      for (const std::uint32_t member : members) {
        all.emplace_back(cosine_distance(queries.row(q), points.row(member)), member);
      }
      std::sort(all.begin(), all.end());
      ASSERT_EQ(found[q].size(), 6U);
      for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_EQ(found[q][i].molecule, all[i].second);
        EXPECT_NEAR(found[q][i].distance, all[i].first, 1e-6);
      }
    }
  }
}

TEST(CosineSearch, GivesAllWhereThereAreFewerAndTakesRowsOfZeros) {
  const std::vector<float> points = {1, 0, 0, 0, 0, 2};
  const CosineSearch search(points, 2, {0, 1, 2});
  const auto found = search.nearest(std::vector<float>{0, 5}, 10);
  ASSERT_EQ(found[0].size(), 3U);
  EXPECT_EQ(found[0][0].molecule, 2U);
  EXPECT_EQ(found[0][0].distance, 0);
  EXPECT_EQ(search.nearest(std::vector<float>{0, 0}, 1)[0][0].molecule, 1U);
}

TEST(CosineSearch, GivesEveryDistanceInTheOrderOfTheMembers) {
  std::mt19937 random(4);
  constexpr std::size_t kWidth = 19;
  const Molecules points = made_up_molecules(203, random, 20, kWidth),
                  queries = made_up_molecules(3, random, 20, kWidth);
  std::vector<std::uint32_t> members;
  for (std::uint32_t i = 0; i < 203; i += 1 + i % 2) {
    members.push_back(i);
  }
  const CosineSearch search(points.features, kWidth, members);
  std::vector<std::vector<float>> found(queries.size());
  search.for_all_distances(unit_rows(queries.features, kWidth),
                           [&](std::size_t query, std::span<const float> distances) {
                             found[query].insert(found[query].end(), distances.begin(), distances.end());
                           });
  for (std::size_t q = 0; q < queries.size(); ++q) {
    ASSERT_EQ(found[q].size(), members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      EXPECT_NEAR(found[q][i], cosine_distance(queries.row(q), points.row(members[i])), 1e-6);
    }
  }
}

TEST(CosineSearch, RefusesWhatIsNotFinite) {
  EXPECT_THROW(CosineSearch(std::vector<float>{1, std::numeric_limits<float>::quiet_NaN()}, 2, {0}),
               InputError);
}

}  // namespace
}  // namespace headroom::domain
