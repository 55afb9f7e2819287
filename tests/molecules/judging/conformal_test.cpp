#include "molecules/judging/conformal.h"

#include <cmath>

#include <gtest/gtest.h>

namespace molgauge::domain {
namespace {

TEST(Percentile, CountsHeldOutScoresUpToTheScore) {
  const std::vector<float> calibration = {1, 2, 2, 3};
  EXPECT_DOUBLE_EQ(percentile(calibration, 2), 75);
  EXPECT_DOUBLE_EQ(percentile(calibration, 0), 0);
}

/// The worked example of R's p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "BH") and an unsorted example.
TEST(BenjaminiHochberg, GivesTheLeastRateAtWhichEachIsRejected) {
  for (const double adjusted : benjamini_hochberg(std::vector<double>{0.01, 0.02, 0.03, 0.04, 0.05})) {
    EXPECT_DOUBLE_EQ(adjusted, 0.05);
  }
  const auto adjusted = benjamini_hochberg(std::vector<double>{0.5, NAN, 0.001, 0.9, 0.04});
  EXPECT_NEAR(adjusted[0], 2.0 / 3, 1e-12);
  EXPECT_TRUE(std::isnan(adjusted[1]));
  EXPECT_NEAR(adjusted[2], 0.004, 1e-12);
  EXPECT_NEAR(adjusted[3], 0.9, 1e-12);
  EXPECT_NEAR(adjusted[4], 0.08, 1e-12);
}

}  // namespace
}  // namespace molgauge::domain
