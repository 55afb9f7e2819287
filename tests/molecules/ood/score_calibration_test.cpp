#include "molecules/ood/metrics/score_calibration.h"

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/random/numpy_random.h"

namespace molgauge::ood {
namespace {

TEST(Threshold, IsTheRankOfSplitConformalPrediction) {
  std::vector<float> scores(99);
  std::iota(scores.rbegin(), scores.rend(), 1.0F);  // 99 ... 1
  EXPECT_EQ(threshold_at(scores, 0.95).score, 95);  // ceil(100 * 0.95)
  EXPECT_TRUE(threshold_at(scores, 0.95).is_met);
  EXPECT_EQ(threshold_at(scores, 0.5).score, 50);
  EXPECT_EQ(threshold_at(scores, 0.001).score, 1);
  EXPECT_EQ(threshold_at(scores, 0.999).score, 99);
  EXPECT_FALSE(threshold_at(scores, 0.999).is_met);
  EXPECT_THROW(threshold_at({}, 0.95), InputError);
}

/// Tests the share of new scores from the same distribution that pass the threshold, on average over many
/// draws.
TEST(Threshold, LetsTheShareThatWasAskedForPass) {
  NumpyRandom random(7);
  int passed = 0;
  constexpr int kDraws = 4000, kScores = 39;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<float> scores;
    for (int i = 0; i < kScores; ++i) {
      scores.push_back(static_cast<float>(random.below(1'000'000)));
    }
    const auto fresh = static_cast<float>(random.below(1'000'000));
    passed += fresh <= threshold_at(scores, 0.9).score ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(passed) / kDraws, 0.9, 0.02);
}

/// The log-odds of the scores are 2 s - 1. The fit must find the numbers 2 and -1.
TEST(Platt, FindsTheSigmoidThatTheScoresCameFrom) {
  NumpyRandom random(11);
  std::vector<float> id, ood;
  for (int i = 0; i < 40000; ++i) {
    const double score = random.below(1'000'000) / 250'000.0 - 2;
    const double chance = random.below(1'000'000) / 1e6;
    (chance < 1 / (1 + std::exp(1 - 2 * score)) ? ood : id).push_back(static_cast<float>(score));
  }
  const PlattScaling fitted = fit_platt(id, ood);
  EXPECT_NEAR(fitted.slope, 2, 0.1);
  EXPECT_NEAR(fitted.intercept, -1, 0.1);
  EXPECT_NEAR(fitted.probability(0.5), 0.5, 0.02);
}

TEST(Platt, IsAtTheMinimumOfItsLoss) {
  const std::vector<float> id = {0.1F, 0.4F, 1.2F, 0.8F}, ood = {0.9F, 1.5F, 0.3F, 2.0F, 1.1F};
  const auto loss = [&](const PlattScaling& scaling) {
    double sum = 0;
    for (const float score : id) {
      const double p = scaling.probability(score), target = 1.0 / 6;
      sum -= target * std::log(p) + (1 - target) * std::log(1 - p);
    }
    for (const float score : ood) {
      const double p = scaling.probability(score), target = 6.0 / 7;
      sum -= target * std::log(p) + (1 - target) * std::log(1 - p);
    }
    return sum;
  };
  const PlattScaling fitted = fit_platt(id, ood);
  for (const double step : {-1e-3, 1e-3}) {
    EXPECT_LT(loss(fitted), loss({fitted.slope + step, fitted.intercept}));
    EXPECT_LT(loss(fitted), loss({fitted.slope, fitted.intercept + step}));
  }
}

TEST(Platt, StaysFiniteWhereTheSidesAreSeparated) {
  const PlattScaling fitted =
      fit_platt(std::vector<float>{-1e6F, -9e5F, -8e5F}, std::vector<float>{1e6F, 2e6F});
  EXPECT_TRUE(std::isfinite(fitted.slope));
  EXPECT_LT(fitted.probability(-1e6), 0.4);
  EXPECT_GT(fitted.probability(1e6), 0.6);
  EXPECT_EQ(fitted.probability(1e300), 1);
  EXPECT_EQ(fitted.probability(-1e300), 0);
}

TEST(Platt, NeverFallsWithTheScore) {
  const PlattScaling wrong_way = fit_platt(std::vector<float>{3, 4, 5}, std::vector<float>{1, 2, 0, 1});
  EXPECT_EQ(wrong_way.slope, 0);
  EXPECT_NEAR(wrong_way.probability(7), 5.0 / 9, 1e-12);
  const PlattScaling alike = fit_platt(std::vector<float>{1, 1, 1}, std::vector<float>{1, 1, 1});
  EXPECT_EQ(alike.probability(1), 0.5);
  EXPECT_THROW(fit_platt({}, std::vector<float>{1}), InputError);
  EXPECT_THROW(fit_platt(std::vector<float>{1}, std::vector<float>{NAN}), InputError);
}

}  // namespace
}  // namespace molgauge::ood
