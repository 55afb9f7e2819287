#include "molecules/judging/score_tail.h"

#include <cmath>

#include <gtest/gtest.h>

namespace molgauge::domain {
namespace {

TEST(ScoreTail, SurpriseIsTheLogarithmOfTheShareThatReachesTheScore) {
  const ScoreTail tail({3, 1, 2, 4});
  EXPECT_NEAR(tail.negative_log_survival(0.5F), 0, 1e-12);
  EXPECT_NEAR(tail.negative_log_survival(3), -std::log(3.0 / 5), 1e-12);
  EXPECT_NEAR(tail.negative_log_survival(4), -std::log(2.0 / 5), 1e-12);
}

TEST(ScoreTail, GoesOnRisingBeyondTheLargestScore) {
  std::vector<float> scores;
  for (int i = 0; i < 100; ++i) {
    scores.push_back(static_cast<float>(i));
  }
  const ScoreTail tail(scores);
  EXPECT_GT(tail.negative_log_survival(120), tail.negative_log_survival(100));
  // The largest scores are 90 to 99. Their mean excess over 90 is 4.5.
  EXPECT_NEAR(tail.negative_log_survival(108), std::log(101.0) + 9 / 4.5, 1e-9);
}

TEST(ScoreTail, OfEqualScoresStaysFinite) {
  const ScoreTail tail({0, 0, 0});
  EXPECT_EQ(tail.negative_log_survival(0), 0);
  EXPECT_TRUE(std::isfinite(tail.negative_log_survival(1)));
  EXPECT_GT(tail.negative_log_survival(1), tail.negative_log_survival(0));
}

}  // namespace
}  // namespace molgauge::domain
