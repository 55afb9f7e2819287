#include "ops/neighbours/panel_kernel.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "ops/neighbours/integer_codes.h"

namespace headroom::ops {
namespace {

std::vector<std::int16_t> random_codes(std::size_t count, std::mt19937& generator) {
  std::vector<std::int16_t> codes(count);
  for (auto& code : codes) {
    code = static_cast<std::int16_t>(static_cast<std::int64_t>(generator() % 8001) - 4000);
  }
  return codes;
}

/// Powers of two as weights: both round alike, and the values are equal to the last bit.
TEST(PanelKernel, EveryProcessorsKernelGivesTheSameNumbers) {
  std::mt19937 generator(1);
  for (const std::size_t pairs : {1U, 7U, 32U}) {
    const auto points = random_codes(pairs * kPanelPoints * 2, generator);
    const auto queries = random_codes(pairs * kGroupQueries * 2, generator);
    const std::vector<float> norms(kPanelPoints, 1000.0F);
    QueryGroup group{queries.data(), {}, {}};
    group.weights.fill(0x1p-20F);
    group.bounds.fill(999.5F);
    PanelComparison expected{}, found{};
    const bool any = compare_anywhere(pairs, group, {points.data(), norms.data()}, expected);
    ASSERT_EQ(choose_panel_kernel()(pairs, group, {points.data(), norms.data()}, found), any);
    ASSERT_TRUE(any);
    EXPECT_EQ(found.below, expected.below);
    EXPECT_EQ(found.values, expected.values);
  }
}

TEST(PanelKernel, MarksWhatLiesBelowTheBoundAlone) {
  std::vector<std::int16_t> points(kPanelPoints * 2, 0), queries(kGroupQueries * 2, 0);
  points[2 * 5] = 3;
  queries[2 * 4] = 7;
  const std::vector<float> norms(kPanelPoints, 10.0F);
  QueryGroup group{queries.data(), {}, {}};
  group.weights.fill(1);
  group.bounds.fill(-10.0F);
  for (const PanelKernel kernel : {PanelKernel(compare_anywhere), choose_panel_kernel()}) {
    PanelComparison result{};
    ASSERT_TRUE(kernel(1, group, {points.data(), norms.data()}, result));
    for (std::size_t q = 0; q < kGroupQueries; ++q) {
      EXPECT_EQ(result.below[q], q == 4 ? 1U << 5U : 0U);
    }
    EXPECT_EQ(result.values[4][5], -11);
    QueryGroup nearer = group;
    nearer.bounds.fill(-11.0F);
    EXPECT_FALSE(kernel(1, nearer, {points.data(), norms.data()}, result));
  }
}

TEST(IntegerCodes, TellHowFarTheyAreFromTheRow) {
  const std::vector<float> row{3.0F, -4.0F, 0.3F};
  const double step = code_step(norm_of(row));
  const IntegerCodes coded = encode(row, step);
  double error = 0, squares = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double code = coded.codes[i], miss = row[i] - code * step;
    EXPECT_LE(std::abs(miss), step / 2);
    error += miss * miss;
    squares += code * code;
  }
  EXPECT_NEAR(coded.error, std::sqrt(error), 1e-12);
  EXPECT_EQ(coded.squared_norm, squares);
  EXPECT_LE(squares, 32002.0 * 32002.0);
}

TEST(IntegerCodes, OfNothingButZerosAreZeros) {
  const std::vector<float> row(5, 0.0F);
  const IntegerCodes coded = encode(row, code_step(norm_of(row)));
  EXPECT_EQ(coded.codes, std::vector<std::int16_t>(5, 0));
  EXPECT_EQ(coded.error, 0);
}

TEST(IntegerCodes, RefuseWhatIsNotFinite) {
  for (const float wrong :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    EXPECT_THROW(norm_of(std::vector<float>{1.0F, wrong}), InputError);
  }
}

}  // namespace
}  // namespace headroom::ops
