#include "molecules/pages/score_histogram.h"

#include <numeric>

#include <gtest/gtest.h>

namespace molgauge::report {
namespace {

double sum(const std::vector<double>& shares) { return std::accumulate(shares.begin(), shares.end(), 0.0); }

TEST(ScoreHistogram, SharesAddUpForEachGroup) {
  std::vector<float> id, ood;
  for (int i = 0; i < 1000; ++i) {
    id.push_back(static_cast<float>(i % 10));
    ood.push_back(static_cast<float>(i % 7 + 5));
  }
  const page::Histogram histogram = score_histogram(id, ood, "");
  ASSERT_EQ(histogram.groups.size(), 2U);
  EXPECT_EQ(histogram.groups[0].shares.size(), 40U);
  EXPECT_NEAR(sum(histogram.groups[0].shares), 1, 1e-9);
  EXPECT_NEAR(sum(histogram.groups[1].shares), 1, 1e-9);
}

TEST(ScoreHistogram, AnExtremeScoreDoesNotSqueezeTheRest) {
  std::vector<float> id, ood;
  for (int i = 0; i < 500; ++i) {
    id.push_back(static_cast<float>(i) / 500);
    ood.push_back(static_cast<float>(i) / 500 + 1);
  }
  ood.push_back(1e30F);
  const page::Histogram histogram = score_histogram(id, ood, "");
  EXPECT_LT(histogram.high, 2);
  EXPECT_NEAR(sum(histogram.groups[1].shares), 1, 1e-9);
  EXPECT_GE(histogram.groups[1].shares.back(), 1.0 / 501);
}

TEST(ScoreHistogram, FewMoleculesHaveFewBins) {
  const std::vector<float> id = {1, 2, 3}, ood = {2, 3, 4};
  EXPECT_EQ(score_histogram(id, ood, "").groups[0].shares.size(), 10U);
}

TEST(ScoreHistogram, OneScoreForAllHasAPlace) {
  const std::vector<float> same = {0.5F, 0.5F};
  const page::Histogram histogram = score_histogram(same, same, "");
  EXPECT_LT(histogram.low, 0.5);
  EXPECT_GT(histogram.high, 0.5);
  EXPECT_NEAR(sum(histogram.groups[0].shares), 1, 1e-9);
}

}  // namespace
}  // namespace molgauge::report
