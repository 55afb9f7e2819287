#include "molecules/experiments/matrix/statistics.h"

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace molgauge::matrix {
namespace {

TEST(Estimate, HasMeanAndDeviationOfTheSample) {
  const std::array values = {1.0, 2.0, 3.0, 4.0};
  const Estimate result = estimate(values);
  EXPECT_EQ(result.count, 4U);
  EXPECT_DOUBLE_EQ(result.mean, 2.5);
  EXPECT_NEAR(result.standard_deviation, 1.2909944487358056, 1e-12);
}

TEST(Estimate, OfOneValueHasNoSpread) {
  const std::array values = {0.7};
  const Estimate result = estimate(values);
  EXPECT_EQ(result.standard_deviation, 0.0);
  EXPECT_FALSE(result.has_interval());
}

TEST(Estimate, HasNoIntervalOfFewValues) {
  const std::array values = {0.7, 0.9, 0.8, 0.75, 0.85};
  for (std::size_t count = 1; count <= values.size(); ++count) {
    const Estimate result = estimate(std::span(values).first(count));
    EXPECT_EQ(result.has_interval(), count == 5) << count;
    EXPECT_EQ(std::isfinite(result.low) && std::isfinite(result.high), count == 5) << count;
  }
}

TEST(Estimate, IntervalIsAboutTwoStandardErrorsWideAndRepeatable) {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) {
    values.push_back(static_cast<double>(i % 10));  // standard error of the mean: 0.287
  }
  const Estimate result = estimate(values);
  EXPECT_NEAR(result.low, 4.5 - 1.96 * 0.287, 0.03);
  EXPECT_NEAR(result.high, 4.5 + 1.96 * 0.287, 0.03);
  EXPECT_EQ(estimate(values).low, result.low);
}

// The expected values come from an enumeration of all signs by hand, and from SciPy's
// wilcoxon(method="exact").
TEST(SignedRank, FiveDifferencesOfOneSignGiveOneSixteenth) {
  const std::array differences = {0.1, 0.2, 0.3, 0.4, 0.5};
  EXPECT_DOUBLE_EQ(signed_rank_p_value(differences), 2.0 / 32);
}

TEST(SignedRank, MatchesTheExactDistribution) {
  const std::array differences = {1.0, -2.0, 3.0, 4.0, 5.0, 6.0};  // the negative ranks add up to 2
  EXPECT_DOUBLE_EQ(signed_rank_p_value(differences), 6.0 / 64);
}

TEST(SignedRank, SharesRanksAndDropsZeros) {
  const std::array differences = {1.0, -1.0, 0.0};
  EXPECT_DOUBLE_EQ(signed_rank_p_value(differences), 1.0);
  const std::array ties = {1.0, 1.0, 1.0, 0.0};
  EXPECT_DOUBLE_EQ(signed_rank_p_value(ties), 2.0 / 8);
}

TEST(SignedRank, OfNothingIsOne) { EXPECT_EQ(signed_rank_p_value({}), 1.0); }

// Expected values: R's p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm").
TEST(Holm, MatchesR) {
  const std::array p_values = {0.01, 0.04, 0.03, 0.005};
  const auto corrected = holm_corrected(p_values);
  const std::array expected = {0.03, 0.06, 0.06, 0.02};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(corrected[i], expected[i], 1e-12) << i;
  }
  EXPECT_TRUE(holm_corrected({}).empty());
}

TEST(Holm, TheSmallestPValueOfTenSeedsIsNotSignificantAmongThirtySixPairs) {
  std::vector<double> p_values(36, 0.5);
  p_values[7] = 2.0 / 1024;
  EXPECT_NEAR(holm_corrected(p_values)[7], 0.0703, 1e-4);
}

TEST(NormalPValue, MatchesTables) {
  EXPECT_NEAR(normal_p_value(1.959964), 0.05, 1e-6);
  EXPECT_NEAR(normal_p_value(-1.959964), 0.05, 1e-6);
  EXPECT_DOUBLE_EQ(normal_p_value(0), 1);
}

}  // namespace
}  // namespace molgauge::matrix
