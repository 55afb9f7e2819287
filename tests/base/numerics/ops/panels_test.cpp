#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/numerics/ops/neighbours/integer_codes.h"
#include "base/numerics/ops/neighbours/point_panels.h"
#include "levels.h"

namespace molgauge::ops {
namespace cpu {
namespace {

std::vector<std::int16_t> random_codes(std::size_t count, std::mt19937& generator) {
  std::vector<std::int16_t> codes(count);
  for (auto& code : codes) {
    code = static_cast<std::int16_t>(static_cast<std::int64_t>(generator() % 8001) - 4000);
  }
  return codes;
}

/// Computes the values one by one and compares them with their bounds. Returns whether any value is below its
/// bound.
bool compare_plainly(std::size_t pairs, const QueryGroup& queries, Panel panel, PanelComparison& result) {
  bool any = false;
  for (std::size_t q = 0; q < kGroupQueries; ++q) {
    result.below[q] = 0;
    for (std::size_t p = 0; p < kPanelPoints; ++p) {
      std::int32_t sum = 0;
      for (std::size_t i = 0; i < pairs; ++i) {
        const std::int16_t* const query = queries.codes + 2 * (i * kGroupQueries + q);
        const std::int16_t* const point = panel.codes + 2 * (i * kPanelPoints + p);
        sum += query[0] * point[0] + query[1] * point[1];
      }
      result.values[q][p] = panel.norms[p] - queries.weights[q] * static_cast<float>(sum);
      if (result.values[q][p] < queries.bounds[q]) {
        result.below[q] = static_cast<std::uint16_t>(result.below[q] | 1U << p);
        any = true;
      }
    }
  }
  return any;
}

using PanelKernel = EveryLevel;

/// The weights are powers of two. Every level then rounds in the same way, so the values are bit-identical.
TEST_P(PanelKernel, GivesTheNumbersOfThePlainOne) {
  std::mt19937 generator(1);
  for (const std::size_t pairs : {1U, 7U, 32U}) {
    const auto points = random_codes(pairs * kPanelPoints * 2, generator);
    const auto codes = random_codes(pairs * kGroupQueries * 2, generator);
    const std::vector<float> norms(kPanelPoints, 1000.0F);
    QueryGroup queries{codes.data()};
    std::fill_n(queries.weights, kGroupQueries, 0x1p-20F);
    std::fill_n(queries.bounds, kGroupQueries, 999.5F);
    const Panel panel{points.data(), norms.data()};
    PanelComparison expected{}, found{};
    ASSERT_TRUE(compare_plainly(pairs, queries, panel, expected));
    ASSERT_TRUE(kernels().compare_panel(pairs, queries, panel, found));
    for (std::size_t q = 0; q < kGroupQueries; ++q) {
      ASSERT_EQ(found.below[q], expected.below[q]) << q;
      for (std::size_t p = 0; p < kPanelPoints && found.below[q] != 0; ++p) {
        EXPECT_EQ(found.values[q][p], expected.values[q][p]) << q << ' ' << p;
      }
    }
  }
}

TEST_P(PanelKernel, MarksWhatLiesBelowTheBoundAlone) {
  std::vector<std::int16_t> points(kPanelPoints * 2, 0), codes(kGroupQueries * 2, 0);
  points[2 * 5] = 3;
  codes[2 * 4] = 7;
  const std::vector<float> norms(kPanelPoints, 10.0F);
  QueryGroup queries{codes.data()};
  std::fill_n(queries.weights, kGroupQueries, 1.0F);
  std::fill_n(queries.bounds, kGroupQueries, -10.0F);
  PanelComparison result{};
  ASSERT_TRUE(kernels().compare_panel(1, queries, {points.data(), norms.data()}, result));
  for (std::size_t q = 0; q < kGroupQueries; ++q) {
    EXPECT_EQ(result.below[q], q == 4 ? 1U << 5U : 0U);
  }
  EXPECT_EQ(result.values[4][5], -11);
  std::fill_n(queries.bounds, kGroupQueries, -11.0F);
  EXPECT_FALSE(kernels().compare_panel(1, queries, {points.data(), norms.data()}, result));
}

INSTANTIATE_TEST_SUITE_P(Levels, PanelKernel, ::testing::ValuesIn(tested_levels()), level_name);

}  // namespace
}  // namespace cpu

namespace {

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

/// Rows of three numbers of about this size.
std::vector<float> rows_near(float size, std::size_t count) {
  std::mt19937 generator(7);
  std::vector<float> rows(count * 3);
  for (float& number : rows) {
    number = size * (static_cast<float>(generator() % 2000) / 1000.0F - 1.0F);
  }
  return rows;
}

TEST(PointPanels, RefuseRowsWhoseSquaresAreNoFloats) {
  const std::vector<float> large = rows_near(1e20F, 100), small = rows_near(1e-22F, 100),
                           usual = rows_near(1, 100);
  EXPECT_THROW(PointPanels(large, 100, 3), InputError);
  EXPECT_THROW(PointPanels(small, 100, 3), InputError);
  const PointPanels panels(usual, 100, 3);
  EXPECT_THROW(panels.near(large, 5), InputError);
  EXPECT_EQ(panels.near(small, 5).size(), 100U);
}

TEST(PointPanels, FindTheNearestOfRowsOfAnyAllowedSize) {
  constexpr std::size_t kCount = 100, kNearest = 5;
  for (const float size : {1e-16F, 1e-9F, 1.0F, 1e9F, 1e17F}) {
    const std::vector<float> rows = rows_near(size, kCount);
    auto found = PointPanels(rows, kCount, 3).near(rows, kNearest);
    for (std::size_t q = 0; q < kCount; ++q) {
      std::vector<std::pair<double, std::int32_t>> all;
      for (std::size_t p = 0; p < kCount; ++p) {
        double squares = 0;
        for (std::size_t i = 0; i < 3; ++i) {
          squares += std::pow(static_cast<double>(rows[q * 3 + i]) - rows[p * 3 + i], 2);
        }
        all.emplace_back(squares, static_cast<std::int32_t>(p));
      }
      std::sort(all.begin(), all.end());
      const auto candidates = found[q].remaining();
      for (std::size_t i = 0; i < kNearest; ++i) {
        EXPECT_NE(std::find(candidates.begin(), candidates.end(), all[i].second), candidates.end())
            << size << ' ' << q << ' ' << i;
      }
    }
  }
}

}  // namespace
}  // namespace molgauge::ops
