#include "base/options/range.h"

#include <limits>

#include <gtest/gtest.h>

namespace molgauge::options {
namespace {

TEST(NumericRange, WholeNumbersToTheLastBit) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_TRUE(kSeed.holds(most));
  EXPECT_TRUE(kBatch.holds(std::uint64_t{1}));
  EXPECT_FALSE(kBatch.holds(std::uint64_t{0}));
  EXPECT_FALSE(kBatch.holds(most));
  EXPECT_FALSE(kBatch.holds(5.0)) << "a real number is not an integer";
}

TEST(NumericRange, EndsOfRealNumbers) {
  EXPECT_TRUE(real(0, 1).holds(0.0));
  EXPECT_TRUE(real(0, 1).holds(1.0));
  EXPECT_FALSE(below(0, 1).holds(1.0));
  EXPECT_TRUE(below(0, 1).holds(0.0));
  EXPECT_FALSE(above(0, 1).holds(0.0));
  EXPECT_TRUE(above(0, 1).holds(1e-30));
  EXPECT_FALSE(inside(0, 1).holds(0.0));
  EXPECT_FALSE(inside(0, 1).holds(1.0));
  for (const double wrong :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity(), 1e300, -1.0}) {
    EXPECT_FALSE(real(0, 1e9).holds(wrong)) << wrong;
  }
}

TEST(NumericRange, InWordsAndAsAnInterval) {
  EXPECT_EQ(kBatch.interval(), "[1..10000000]");
  EXPECT_EQ(below(0, 1).interval(), "[0..1)");
  EXPECT_EQ(above(0, 10).interval(), "(0..10]");
  EXPECT_EQ(kSeed.interval(), "");
  EXPECT_EQ(kSeed.words(), "a whole number from 0 to 2^64 - 1");
  EXPECT_EQ(kBatch.words(), "a whole number from 1 to 10000000");
  EXPECT_EQ(below(0, 1).words(), "a number not below 0 and below 1");
  EXPECT_EQ(above(0, 10).words(), "a number above 0 and at most 10");
}

}  // namespace
}  // namespace molgauge::options
