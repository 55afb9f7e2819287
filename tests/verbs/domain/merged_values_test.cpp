#include "verbs/domain/merged_values.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace headroom::session {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

TEST(MergedValues, TheMeanOfTheKnownOnesIsUsed) {
  MergedValues values;
  values.add(0, 1.5);
  values.add(1, kNone);
  values.add(0, 2.5);
  values.add(0, kNone);
  values.add(2, 0.1);
  values.add(2, 0.1);
  values.add(2, 0.1);
  values.add(1, 7);
  values.add(3, kNone);
  const std::vector<double> means = values.means();
  ASSERT_EQ(means.size(), 4U);
  EXPECT_EQ(means[0], 2);
  EXPECT_EQ(means[1], 7);
  EXPECT_EQ(means[2], 0.1) << "equal values are not rounded";
  EXPECT_TRUE(std::isnan(means[3]));
  EXPECT_EQ(values.conflicts(), 1U);
  EXPECT_EQ(values.median_range(), 1);
}

TEST(MergedValues, TheMedianOfAnEvenNumberIsBetween) {
  MergedValues values;
  EXPECT_EQ(values.median_range(), 0);
  for (const double value : {0.0, 1.0}) {
    values.add(0, value);
    values.add(1, 4 * value);
  }
  EXPECT_EQ(values.conflicts(), 2U);
  EXPECT_EQ(values.median_range(), 2.5);
}

}  // namespace
}  // namespace headroom::session
