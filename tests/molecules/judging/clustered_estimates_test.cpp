#include "molecules/judging/clustered_estimates.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace molgauge::domain {
namespace {

TEST(ClusteredEstimates, MeanOfThreeClustersIsThatOfTheFormula) {
  const std::vector<ClusteredValue> values = {{1, 0}, {1, 0}, {3, 1}, {3, 1}, {2, 2}};
  const Estimate mean = clustered_mean(values);
  // se^2 = 3/2 * (4 + 4 + 0) / 25, Student's t with two degrees of freedom: 4.302653.
  EXPECT_DOUBLE_EQ(mean.value, 2);
  EXPECT_NEAR(mean.high, 2 + 4.302653 * std::sqrt(0.48), 1e-5);
  EXPECT_NEAR(mean.low, 2 - 4.302653 * std::sqrt(0.48), 1e-5);
  EXPECT_EQ(cluster_count(values), 3U);
}

TEST(ClusteredEstimates, OneClusterHasNoInterval) {
  const std::vector<ClusteredValue> values = {{1, 7}, {2, 7}};
  EXPECT_TRUE(std::isnan(clustered_mean(values).low));
  EXPECT_DOUBLE_EQ(design_effect(values), 1);
}

TEST(ClusteredEstimates, AShareOfZeroHasAnInterval) {
  std::vector<ClusteredValue> values;
  for (std::size_t i = 0; i < 20; ++i) {
    values.push_back({0, i});
  }
  EXPECT_NEAR(clustered_share(values).high, 0.161125, 1e-5);
  EXPECT_NEAR(clustered_share(values, 2).high, 0.277533, 1e-5);
  for (std::size_t count = 1; count <= values.size(); ++count) {
    EXPECT_EQ(clustered_share(std::span(values).first(count), 1.5).low, 0) << count;
  }
}

TEST(ClusteredEstimates, AreaOfIndependentMoleculesHasTheVarianceOfDeLong) {
  const std::vector<ClassifiedMolecule> molecules = {{0.9, true, 0},  {0.8, true, 1},  {0.4, true, 2},
                                                     {0.7, false, 3}, {0.3, false, 4}, {0.2, false, 5},
                                                     {0.1, false, 6}};
  const Estimate area = clustered_auroc(molecules);
  EXPECT_NEAR(area.value, 11.0 / 12, 1e-12);
  // DeLong's variance is 1/72. The interval is symmetric on the logit scale.
  EXPECT_NEAR(area.low, 0.34845, 1e-4);
  EXPECT_NEAR(area.high, 0.99560, 1e-4);
}

TEST(ClusteredEstimates, AreasWithoutAnInterval) {
  const std::vector<ClassifiedMolecule> perfect = {{2, true, 0}, {2, true, 1}, {1, false, 2}, {1, false, 3}};
  EXPECT_EQ(clustered_auroc(perfect).value, 1);
  EXPECT_TRUE(std::isnan(clustered_auroc(perfect).low));
  const std::vector<ClassifiedMolecule> one_class = {{2, true, 0}, {2, true, 1}};
  EXPECT_TRUE(std::isnan(clustered_auroc(one_class).value));
  const std::vector<ClassifiedMolecule> ties = {{1, true, 0}, {1, false, 1}, {1, true, 2}, {1, false, 3}};
  EXPECT_EQ(clustered_auroc(ties).value, 0.5);
}

/// Molecules of a cluster share a part of their score, so intervals that assume independent molecules are too
/// short.
TEST(ClusteredEstimates, IntervalsContainTheTruthInMostSamples) {
  std::mt19937 random(3);
  std::normal_distribution<double> noise;
  std::size_t mean_hits = 0, share_hits = 0, naive_hits = 0;
  constexpr std::size_t kSamples = 400, kClusters = 30, kOfEach = 8;
  for (std::size_t sample = 0; sample < kSamples; ++sample) {
    std::vector<ClusteredValue> values, shares, naive;
    for (std::size_t cluster = 0; cluster < kClusters; ++cluster) {
      const double shared = noise(random);
      for (std::size_t i = 0; i < kOfEach; ++i) {
        const double value = shared + noise(random);
        values.push_back({value, cluster});
        naive.push_back({value, naive.size()});
        shares.push_back({value > 0 ? 1.0 : 0.0, cluster});
      }
    }
    const auto has = [](const Estimate& estimate, double truth) {
      return estimate.low <= truth && truth <= estimate.high ? 1U : 0U;
    };
    mean_hits += has(clustered_mean(values), 0);
    naive_hits += has(clustered_mean(naive), 0);
    share_hits += has(clustered_share(shares), 0.5);
  }
  EXPECT_GE(mean_hits, kSamples * 92 / 100);
  EXPECT_GE(share_hits, kSamples * 91 / 100);
  EXPECT_LE(naive_hits, kSamples * 80 / 100);
}

TEST(ClusteredEstimates, IntervalsOfAreasContainTheTruthInMostSamples) {
  std::mt19937 random(4);
  std::normal_distribution<double> noise;
  // The scores of the two classes differ by 1 and each has the variance 2, so the area is Phi(1 / 2).
  const double truth = 0.5 * std::erfc(-0.5 / std::sqrt(2.0));
  std::size_t hits = 0, naive_hits = 0;
  constexpr std::size_t kSamples = 300, kClusters = 60, kOfEach = 6;
  for (std::size_t sample = 0; sample < kSamples; ++sample) {
    std::vector<ClassifiedMolecule> molecules, naive;
    for (std::size_t cluster = 0; cluster < kClusters; ++cluster) {
      const double shared = noise(random);
      const bool is_positive = cluster % 2 == 0;
      for (std::size_t i = 0; i < kOfEach; ++i) {
        molecules.push_back({(is_positive ? 1 : 0) + shared + noise(random), is_positive, cluster});
        naive.push_back(molecules.back());
        naive.back().cluster = naive.size();
      }
    }
    const auto has = [&](const Estimate& area) { return area.low <= truth && truth <= area.high ? 1U : 0U; };
    hits += has(clustered_auroc(molecules));
    naive_hits += has(clustered_auroc(naive));
  }
  EXPECT_GE(hits, kSamples * 91 / 100);
  EXPECT_LE(naive_hits, kSamples * 85 / 100);
}

}  // namespace
}  // namespace molgauge::domain
