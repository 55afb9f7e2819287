#include "base/core/random/python_random.h"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;

// Every expected number comes from CPython 3.11's random.Random.

TEST(PythonRandom, UniformIsRandomRandom) {
  PythonRandom random(42);
  EXPECT_EQ(random.uniform(), 0x1.4762f307200c5p-1);
  EXPECT_EQ(random.uniform(), 0x1.99c6b5eeb2060p-6);
  EXPECT_EQ(random.uniform(), 0x1.19a1491f589dcp-2);
}

TEST(PythonRandom, BelowIsRandrange) {
  PythonRandom random(42);
  std::vector<std::uint64_t> draws(12);
  for (auto& draw : draws) {
    draw = random.below(10);
  }
  EXPECT_THAT(draws, ElementsAre(1, 0, 4, 3, 3, 2, 1, 8, 1, 9, 6, 0));
}

TEST(PythonRandom, SeedsAndBoundsBeyond32Bits) {
  PythonRandom random((1ULL << 40) + 7);
  for (const std::uint64_t expected : {628, 765, 834, 960, 967}) {
    EXPECT_EQ(random.below(1000), expected);
  }
  EXPECT_EQ(random.below(1ULL << 40), 1046707559811U);
  EXPECT_EQ(random.below(1ULL << 33), 2643937137U);
}

TEST(PythonRandom, ShuffleIsRandomShuffle) {
  PythonRandom random(0);
  std::vector<int> items(10);
  std::iota(items.begin(), items.end(), 0);
  random.shuffle(items);
  EXPECT_THAT(items, ElementsAre(7, 8, 1, 5, 3, 4, 2, 0, 9, 6));
  EXPECT_EQ(random.below(100), 45U);
}

TEST(PythonRandom, ShuffleOfNothingAndOfOneDrawsNothing) {
  PythonRandom random(42);
  std::vector<int> nothing, one = {5};
  random.shuffle(nothing);
  random.shuffle(one);
  EXPECT_THAT(one, ElementsAre(5));
  EXPECT_EQ(random.uniform(), 0x1.4762f307200c5p-1);
}

TEST(PythonRandom, SampleIsRandomSampleOnBothOfItsWays) {
  PythonRandom random(1);
  EXPECT_THAT(random.sample(10, 4), ElementsAre(2, 1, 4, 0));
  EXPECT_THAT(random.sample(1000, 8), ElementsAre(507, 779, 460, 483, 667, 388, 807, 214));
  EXPECT_THAT(random.sample(22, 5), ElementsAre(3, 15, 0, 12, 13));
  EXPECT_THAT(random.sample(21, 5), ElementsAre(19, 0, 14, 8, 7));
  EXPECT_EQ(random.below(1000000), 619869U);
}

TEST(PythonRandom, SampleChangesItsWayWhereTheSetGetsSmaller) {
  // For a sample of 22 items, CPython compares the population with 21 + 4^4 = 277. It draws from a pool if
  // the population has at most 277 items, and otherwise tracks the drawn items in a set.
  PythonRandom random(1);
  const std::vector<std::size_t> of_277 = {68, 32,  130, 60, 253, 230, 241, 194, 107, 48, 249,
                                           14, 199, 221, 1,  228, 136, 117, 52,  162, 15, 11};
  const std::vector<std::size_t> of_278 = {13,  277, 4,   195, 110, 216, 14, 270, 113, 224, 253,
                                           119, 176, 118, 112, 235, 148, 11, 213, 51,  95,  151};
  EXPECT_THAT(random.sample(277, 22), ElementsAreArray(of_277));
  EXPECT_THAT(random.sample(278, 22), ElementsAreArray(of_278));
}

TEST(PythonRandom, SampleRefusesMoreThanThereIs) {
  PythonRandom random(1);
  EXPECT_THROW(random.sample(3, 4), std::invalid_argument);
  EXPECT_TRUE(random.sample(3, 0).empty());
}

TEST(PythonRandom, GoesOnFromASavedState) {
  PythonRandom random(38);
  for (int i = 0; i < 1000; ++i) {
    random.uniform();
  }
  const std::string state = random.state();
  EXPECT_EQ(random.below(1ULL << 31), 204167793U);
  PythonRandom other(0);
  other.restore(state);
  EXPECT_EQ(other.below(1ULL << 31), 204167793U);
}

/// Checkpoints contain this form. A state is the position and then the 624 words of
/// CPython's getstate().
TEST(PythonRandom, TheFormOfTheStateIsKept) {
  PythonRandom random(38);
  EXPECT_TRUE(random.state().starts_with("624 2147483648 ")) << random.state().substr(0, 40);
  random.uniform();
  EXPECT_TRUE(random.state().starts_with("2 4242614786 518864359 ")) << random.state().substr(0, 40);
  EXPECT_EQ(std::ranges::count(random.state(), ' '), 624);
}

TEST(PythonRandom, RefusesADamagedState) {
  PythonRandom random(1);
  const std::string state = random.state();
  EXPECT_THROW(random.restore(""), InputError);
  EXPECT_THROW(random.restore(state.substr(0, state.size() / 2)), InputError);
  EXPECT_THROW(random.restore(state + " 7"), InputError);
  EXPECT_THROW(random.restore("625" + state.substr(3)), InputError);
  EXPECT_THROW(random.restore("-1" + state.substr(3)), InputError);
  EXPECT_THROW(random.restore("624 4294967296" + state.substr(state.find(' ', 4))), InputError);
  EXPECT_EQ(random.state(), state) << "a refused state changes nothing";
}

}  // namespace
}  // namespace molgauge
