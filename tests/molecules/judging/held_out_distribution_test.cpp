#include "molecules/judging/held_out_distribution.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace molgauge::domain {
namespace {

std::vector<float> one_to(int count) {
  std::vector<float> scores;
  for (int i = 1; i <= count; ++i) {
    scores.push_back(static_cast<float>(i));
  }
  return scores;
}

TEST(HeldOutDistribution, InterpolatesBetweenHeldOutScores) {
  const HeldOutDistribution distribution({4, 1, 3, 2});
  EXPECT_DOUBLE_EQ(distribution.p_value(0.5), 1);
  EXPECT_DOUBLE_EQ(distribution.p_value(1), 0.8);
  EXPECT_DOUBLE_EQ(distribution.p_value(4), 0.2);
  EXPECT_DOUBLE_EQ(distribution.p_value(2.5), std::sqrt(0.6 * 0.4));
  EXPECT_DOUBLE_EQ(distribution.p_value(-std::numeric_limits<float>::infinity()), 1);
  EXPECT_DOUBLE_EQ(distribution.smallest_measured_p(), 0.2);
}

TEST(HeldOutDistribution, CountsEqualScoresAgainstTheMoleculeBeingForeign) {
  const HeldOutDistribution distribution({1, 2, 2, 3});
  EXPECT_DOUBLE_EQ(distribution.p_value(2), 0.8);
  EXPECT_DOUBLE_EQ(distribution.p_value(1), 0.8);
  EXPECT_DOUBLE_EQ(HeldOutDistribution({5, 5, 5}).p_value(5), 1);
}

/// The largest 20 of 100 scores exceed the 80th by 10.5 on average.
TEST(HeldOutDistribution, ContinuesBeyondTheLargestScore) {
  const HeldOutDistribution distribution(one_to(100));
  ASSERT_TRUE(distribution.has_tail());
  EXPECT_DOUBLE_EQ(distribution.p_value(100), 1.0 / 101);
  EXPECT_NEAR(distribution.p_value(110.5), std::exp(-1) / 101, 1e-12);
  EXPECT_DOUBLE_EQ(distribution.p_value(1000), 0.01 / 101);
}

TEST(HeldOutDistribution, HasNoTailBelowFortyMolecules) {
  const HeldOutDistribution distribution(one_to(39));
  EXPECT_FALSE(distribution.has_tail());
  EXPECT_DOUBLE_EQ(distribution.p_value(1000), 1.0 / 40);
  EXPECT_TRUE(HeldOutDistribution(one_to(40)).has_tail());
}

TEST(HeldOutDistribution, IsMonotoneAndNeverAboveTheConformalPValue) {
  std::mt19937 random(1);
  std::exponential_distribution<float> draw;
  std::vector<float> scores(150);
  for (float& score : scores) {
    score = std::round(20 * draw(random)) / 20;  // some of the scores are equal
  }
  const HeldOutDistribution distribution(scores);
  double before = 1;
  for (float score = 0; score < 12; score += 0.0125F) {
    const double p = distribution.p_value(score);
    EXPECT_LE(p, before) << score;
    before = p;
    const auto reached = std::count_if(scores.begin(), scores.end(), [&](float own) { return own >= score; });
    EXPECT_LE(p, (1.0 + static_cast<double>(reached)) / 151 + 1e-12) << score;
  }
}

TEST(HeldOutDistribution, ThresholdsSeparateExactly) {
  std::mt19937 random(2);
  std::normal_distribution<float> draw(-3, 5);
  for (const std::size_t count : {19U, 99U, 500U}) {
    std::vector<float> scores(count);
    for (float& score : scores) {
      score = draw(random);
    }
    const HeldOutDistribution distribution(scores);
    for (const double p : {0.5, 0.06, 0.05, 0.01, 1e-6}) {
      const float threshold = distribution.threshold(p);
      if (std::isinf(threshold)) {
        EXPECT_LT(p, distribution.smallest_measured_p() * (distribution.has_tail() ? 0.01 : 1));
        continue;
      }
      EXPECT_GT(distribution.p_value(threshold), p);
      EXPECT_LE(distribution.p_value(std::nextafter(threshold, 1e30F)), p);
    }
  }
}

/// There are 400 draws of 99 held-out molecules, and 40,000 molecules in total. The share of molecules with p
/// <= a is a. This share has the same standard deviation as the mean of 400 beta variables.
TEST(HeldOutDistribution, FalseAlarmsHaveTheirLevel) {
  std::mt19937 random(3);
  std::lognormal_distribution<float> draw(0, 1);
  std::size_t alarms_01 = 0, alarms_05 = 0;
  constexpr std::size_t kDraws = 400, kMolecules = 100;
  for (std::size_t i = 0; i < kDraws; ++i) {
    std::vector<float> scores(99);
    for (float& score : scores) {
      score = draw(random);
    }
    const HeldOutDistribution distribution(scores);
    for (std::size_t j = 0; j < kMolecules; ++j) {
      const double p = distribution.p_value(draw(random));
      alarms_01 += p <= 0.01 ? 1 : 0;
      alarms_05 += p <= 0.05 ? 1 : 0;
    }
  }
  EXPECT_NEAR(static_cast<double>(alarms_01) / (kDraws * kMolecules), 0.01, 0.003);
  EXPECT_NEAR(static_cast<double>(alarms_05) / (kDraws * kMolecules), 0.05, 0.006);
}

}  // namespace
}  // namespace molgauge::domain
