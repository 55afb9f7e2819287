#include "molecules/ood/metrics/metrics.h"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::ood {
namespace {

using Scores = std::vector<double>;

DetectionMetrics metrics(const Scores& id, const Scores& ood,
                         MetricVariant variant = MetricVariant::evaluation) {
  return detection_metrics(std::span<const double>(id), std::span<const double>(ood), variant);
}

TEST(Metrics, PerfectAndReversedOrder) {
  EXPECT_EQ(metrics({1, 2}, {3, 4}).auroc, 1);
  EXPECT_EQ(metrics({1, 2}, {3, 4}).aupr, 1);
  EXPECT_EQ(metrics({1, 2}, {3, 4}).fpr95, 0);
  EXPECT_EQ(metrics({3, 4}, {1, 2}).auroc, 0);
  EXPECT_EQ(metrics({3, 4}, {1, 2}).fpr95, 1);
}

TEST(Metrics, TiesCountHalf) { EXPECT_DOUBLE_EQ(metrics({0, 1, 1}, {1, 2}).auroc, (1 + 0.5 + 0.5 + 3) / 6); }

TEST(Metrics, ConstantScoresShowTheTwoKindsOfAreaUnderPrecisionRecall) {
  const Scores id(40, 0.25), ood(60, 0.25);
  EXPECT_DOUBLE_EQ(metrics(id, ood).aupr, 0.8);
  EXPECT_DOUBLE_EQ(metrics(id, ood, MetricVariant::baseline).aupr, 0.6);
}

TEST(Metrics, RegularTiesDropPointsOfTheCurve) {
  Scores stairs;
  for (int i = 0; i < 100; ++i) {
    stairs.push_back(i);
  }
  EXPECT_DOUBLE_EQ(metrics(stairs, stairs).fpr95, 1.0);
  EXPECT_DOUBLE_EQ(metrics(stairs, stairs, MetricVariant::baseline).fpr95, 0.95);
}

TEST(Metrics, RefusesWhatHasNoOrder) {
  EXPECT_THROW(metrics({1, std::numeric_limits<double>::quiet_NaN()}, {2}), InputError);
  EXPECT_THROW(metrics({1}, {std::numeric_limits<double>::infinity()}), InputError);
  EXPECT_THROW(metrics({}, {2}), InputError);
  EXPECT_THROW(metrics({2}, {}), InputError);
}

TEST(Metrics, SummaryHasPopulationDeviation) {
  const std::vector<float> scores = {1, 3};
  const ScoreSummary summary = summarize(std::span<const float>(scores));
  EXPECT_EQ(summary.mean, 2);
  EXPECT_EQ(summary.standard_deviation, 1);
}

TEST(Metrics, WithIdPositiveAreThoseOfTheSidesExchanged) {
  const std::vector<float> id = {0, 1, 2, 3, 10}, ood = {2.5F, 4, 5};
  const std::span<const float> inside(id), outside(ood);
  const DetectionMetrics ood_positive = detection_metrics(inside, outside);
  const DetectionMetrics id_positive = id_positive_metrics(inside, outside);
  EXPECT_DOUBLE_EQ(id_positive.auroc, ood_positive.auroc);
  EXPECT_DOUBLE_EQ(id_positive.fpr95, 1) << "95 % of five ID molecules are all, up to the score 10";
  EXPECT_DOUBLE_EQ(ood_positive.fpr95, 2.0 / 5) << "all OOD molecules are found from the score 2.5 on";
  EXPECT_NE(id_positive.aupr, ood_positive.aupr);
}

}  // namespace
}  // namespace molgauge::ood
