#include "base/core/text/duration.h"

#include <thread>

#include <gtest/gtest.h>

namespace molgauge {
namespace {

TEST(FormatDuration, IsHoursMinutesSeconds) {
  EXPECT_EQ(format_duration(0), "00:00:00");
  EXPECT_EQ(format_duration(59.99), "00:00:59");
  EXPECT_EQ(format_duration(3661), "01:01:01");
  EXPECT_EQ(format_duration(360000), "100:00:00");
}

TEST(Stopwatch, MeasuresWallClockTime) {
  const Stopwatch stopwatch;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_GE(stopwatch.seconds(), 0.02);
  EXPECT_LT(stopwatch.seconds(), 20);
}

}  // namespace
}  // namespace molgauge
