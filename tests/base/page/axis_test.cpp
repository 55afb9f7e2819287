#include "base/page/axis.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace molgauge::page {
namespace {

std::vector<std::string> labels(const Axis& axis) {
  std::vector<std::string> texts;
  for (const Tick& tick : axis.ticks) {
    texts.push_back(tick.label);
  }
  return texts;
}

TEST(Axis, WidensToRoundNumbers) {
  const Axis axis = round_axis("AUROC", {0.823, 0.938});
  EXPECT_DOUBLE_EQ(axis.low, 0.80);
  EXPECT_DOUBLE_EQ(axis.high, 0.95);
  EXPECT_EQ(labels(axis), (std::vector<std::string>{"0.80", "0.85", "0.90", "0.95"}));
  EXPECT_NEAR(axis.share(0.875), 0.5, 1e-12);
}

TEST(Axis, NeverShowsMinusZero) {
  EXPECT_EQ(labels(round_axis("", {-1, 1}, 4)),
            (std::vector<std::string>{"-1.0", "-0.5", "0.0", "0.5", "1.0"}));
}

TEST(Axis, HasRoomAroundASingleValue) {
  for (const double value : {0.0, 0.7, -3.0, 1e9}) {
    const Axis axis = round_axis("", {value, value});
    EXPECT_LT(axis.low, value);
    EXPECT_GT(axis.high, value);
    EXPECT_GE(axis.ticks.size(), 2U);
  }
}

TEST(Axis, LeavesOutWhatIsNotFinite) {
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const Axis axis = round_axis("", {nan, 2, infinity, 4});
  EXPECT_DOUBLE_EQ(axis.low, 2);
  EXPECT_DOUBLE_EQ(axis.high, 4);
  EXPECT_DOUBLE_EQ(round_axis("", {nan}).high, 1);
  EXPECT_DOUBLE_EQ(round_axis("", {}).low, 0);
}

TEST(Axis, CoversValuesOfAnySize) {
  for (const double size : {1e-12, 1e-3, 1.0, 1e6, 1e15}) {
    const Axis axis = round_axis("", {-size, 2.5 * size});
    EXPECT_LE(axis.low, -size);
    EXPECT_GE(axis.high, 2.5 * size * (1 - 1e-12));
    EXPECT_LE(axis.ticks.size(), 8U);
    EXPECT_GE(axis.ticks.size(), 3U);
  }
}

TEST(Axis, CountsEpochsInWholeNumbers) {
  EXPECT_EQ(labels(counting_axis("epoch", 3)), (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(labels(counting_axis("epoch", 50)).back(), "50");
  EXPECT_EQ(counting_axis("epoch", 1).high, 2);
}

TEST(Axis, CategoriesStandAtEqualDistances) {
  const Axis axis = category_axis("beta", {"0.1", "2", "50"});
  EXPECT_DOUBLE_EQ(axis.share(1), 0.5);
  EXPECT_EQ(labels(axis), (std::vector<std::string>{"0.1", "2", "50"}));
}

}  // namespace
}  // namespace molgauge::page
