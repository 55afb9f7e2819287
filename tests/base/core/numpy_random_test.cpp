#include "base/core/random/numpy_random.h"

#include <numeric>
#include <set>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace molgauge {
namespace {

using testing::ElementsAre;

// Every expected number comes from NumPy 1.26.

TEST(NumpyRandom, RawDrawsArePcg64) {
  NumpyRandom zero(0);
  EXPECT_EQ(zero.next64(), 11749869230777074271U);
  EXPECT_EQ(zero.next64(), 4976686463289251617U);
  NumpyRandom answer(42);
  EXPECT_EQ(answer.next64(), 14276969152011380360U);
  EXPECT_EQ(answer.next64(), 8095878257575067585U);
  NumpyRandom wide((1ULL << 40) + 7);
  EXPECT_EQ(wide.next64(), 15307346044642009514U);
}

TEST(NumpyRandom, BelowIsIntegers) {
  NumpyRandom random(42);
  std::vector<std::uint32_t> draws(12);
  for (auto& draw : draws) {
    draw = random.below(10);
  }
  EXPECT_THAT(draws, ElementsAre(0, 7, 6, 4, 4, 8, 0, 6, 2, 0, 5, 9));
}

TEST(NumpyRandom, BelowRejectsWhatWouldBias) {
  NumpyRandom random(42);
  std::vector<std::uint32_t> draws(8);
  for (auto& draw : draws) {
    draw = random.below(3000000000U);
  }
  EXPECT_THAT(draws, ElementsAre(267752861U, 2321868145U, 1963714555U, 1316635318U, 2575793759U, 282532043U,
                                 1579436936U, 2926867054U));
}

TEST(NumpyRandom, ChoosesFewByFloydsAlgorithm) {
  EXPECT_THAT(NumpyRandom(7).choose(100, 6), ElementsAre(57, 66, 87, 89, 60, 77));
  EXPECT_THAT(NumpyRandom(7).choose(6, 6), ElementsAre(1, 2, 3, 0, 5, 4));
  EXPECT_THAT(NumpyRandom(7).choose(1, 1), ElementsAre(0));
  EXPECT_TRUE(NumpyRandom(7).choose(5, 0).empty());
  EXPECT_TRUE(NumpyRandom(7).choose(0, 0).empty());
}

void expect_choice(std::size_t population, std::size_t count, const std::vector<std::size_t>& first,
                   std::size_t sum) {
  const auto chosen = NumpyRandom(7).choose(population, count);
  ASSERT_EQ(chosen.size(), count);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), chosen.begin()));
  EXPECT_EQ(std::accumulate(chosen.begin(), chosen.end(), std::size_t{0}), sum);
  EXPECT_EQ(std::set(chosen.begin(), chosen.end()).size(), count) << "an item was taken twice";
}

TEST(NumpyRandom, ChoosesManyOutOfManyFromTheShuffledTail) {
  expect_choice(10001, 200, {3649, 416, 303, 4100, 4360}, 1032196);
  expect_choice(10001, 201, {4075, 1204, 8893, 297, 7880}, 1023031);
  expect_choice(10001, 10001, {778, 2883, 8813, 8465, 3243}, 10001 * 10000 / 2);
}

TEST(NumpyRandom, ChooseRefusesMoreThanThereIs) {
  EXPECT_THROW(NumpyRandom(7).choose(3, 4), std::invalid_argument);
}

}  // namespace
}  // namespace molgauge
