#include "molecules/encoding/pipeline/stage_times.h"

#include <gtest/gtest.h>

namespace molgauge::pipeline {
namespace {

using std::chrono::milliseconds;

TEST(StageTimes, SharesAreOfTheThreadsThatRunTheStage) {
  StageTimes times;
  times.add(Stage::read, milliseconds(500));
  times.add(Stage::encode, milliseconds(2000));
  const auto report = times.report(2.0, 4);
  EXPECT_EQ(report[0].stage, "read");
  EXPECT_DOUBLE_EQ(report[0].seconds, 0.5);
  EXPECT_DOUBLE_EQ(report[0].share, 0.25);
  EXPECT_EQ(report[4].stage, "encode");
  EXPECT_DOUBLE_EQ(report[4].share, 0.25);
}

TEST(StageTimes, TheBottleneckIsInTheBusiestThreads) {
  StageTimes times;
  times.add(Stage::write, milliseconds(900));
  times.add(Stage::featurise, milliseconds(1100));  // featurise and encode: 1.9 s of 2 s in 2 threads
  times.add(Stage::encode, milliseconds(800));
  EXPECT_EQ(times.bottleneck(1.0, 2), "featurise");
  EXPECT_EQ(times.bottleneck(1.0, 4), "write");
}

}  // namespace
}  // namespace molgauge::pipeline
