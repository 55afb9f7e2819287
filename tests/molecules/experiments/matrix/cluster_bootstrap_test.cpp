#include "molecules/experiments/matrix/cluster_bootstrap.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "outcomes.h"

namespace molgauge::matrix {
namespace {

/// The share of pairs in which the OOD molecule scores higher.
double plain_auroc(const TestScores& scores) {
  double wins = 0;
  for (const float ood : scores.ood) {
    for (const float id : scores.id) {
      wins += ood > id ? 1 : ood == id ? 0.5 : 0;
    }
  }
  return wins / static_cast<double>(scores.id.size() * scores.ood.size());
}

/// Returns scores of ID molecules around 0 and scores of OOD molecules around `shift`. The molecules form
/// clusters of `size` molecules with similar scores.
TestScores scores_of(float shift, int clusters, int size, float own_noise, std::uint32_t seed) {
  TestScores scores;
  std::mt19937 random(7), own(seed);  // the clusters do not depend on `seed`
  std::normal_distribution<float> normal;
  for (int cluster = 0; cluster < clusters; ++cluster) {
    const float of_cluster = normal(random);
    const bool is_ood = cluster % 2 == 1;
    for (int i = 0; i < size; ++i) {
      const float score = of_cluster + (is_ood ? shift : 0) + own_noise * normal(own);
      (is_ood ? scores.ood : scores.id).push_back(score);
      (is_ood ? scores.ood_clusters : scores.id_clusters).push_back("c" + std::to_string(cluster));
    }
  }
  return scores;
}

struct TwoMethods {
  TestScores first, second;

  std::vector<Comparison> compared() const {
    const std::vector<CellOutcome> outcomes = {outcome_of("dpo", 1, plain_auroc(first)),
                                               outcome_of("bce", 1, plain_auroc(second))};
    auto comparisons = compare(outcomes);
    add_bootstrap(comparisons, outcomes,
                  [this](const Cell& cell) { return std::optional(cell.method == "dpo" ? first : second); });
    return comparisons;
  }
};

TEST(ClusterBootstrap, EqualScoresDoNotDiffer) {
  const TestScores scores = scores_of(1, 40, 5, 0.3F, 1);
  const auto comparisons = TwoMethods{scores, scores}.compared();
  ASSERT_TRUE(comparisons.at(0).bootstrap);
  EXPECT_EQ(comparisons[0].bootstrap->low, 0);
  EXPECT_EQ(comparisons[0].bootstrap->high, 0);
  EXPECT_EQ(comparisons[0].bootstrap->p_value, 1);
  EXPECT_EQ(comparisons[0].bootstrap->id_scaffolds, 20U);
  EXPECT_EQ(comparisons[0].bootstrap->ood_scaffolds, 20U);
}

TEST(ClusterBootstrap, ALargeDifferenceIsFoundAndItsIntervalContainsIt) {
  const auto comparisons =
      TwoMethods{scores_of(3, 80, 4, 0.1F, 1), scores_of(0.5F, 80, 4, 0.1F, 2)}.compared();
  const auto& bootstrap = *comparisons.at(0).bootstrap;
  EXPECT_LT(bootstrap.p_value, 1e-4);
  EXPECT_LT(bootstrap.low, comparisons[0].mean_difference);
  EXPECT_GT(bootstrap.high, comparisons[0].mean_difference);
  EXPECT_GT(bootstrap.low, 0);
}

TEST(ClusterBootstrap, MoleculesOfAScaffoldCountAsOne) {
  TwoMethods clustered{scores_of(1, 24, 30, 0, 1), scores_of(0.6F, 24, 30, 0, 2)};
  TwoMethods independent = clustered;
  for (TestScores* const scores : {&independent.first, &independent.second}) {
    for (auto* const clusters : {&scores->id_clusters, &scores->ood_clusters}) {
      for (std::size_t i = 0; i < clusters->size(); ++i) {
        (*clusters)[i] += "_" + std::to_string(i);
      }
    }
  }
  const auto width = [](const TwoMethods& methods) {
    const auto comparisons = methods.compared();
    return comparisons.at(0).bootstrap->high - comparisons.at(0).bootstrap->low;
  };
  EXPECT_GT(width(clustered), 3 * width(independent)) << "some sqrt(30) times wider";
}

TEST(ClusterBootstrap, OneScaffoldOnASideHasNoInterval) {
  TestScores scores = scores_of(1, 20, 3, 0.1F, 1);
  std::fill(scores.ood_clusters.begin(), scores.ood_clusters.end(), "one");
  EXPECT_FALSE((TwoMethods{scores, scores}.compared().at(0).bootstrap));
}

TEST(ClusterBootstrap, MissingScoresLeaveTheComparisonWithout) {
  const std::vector<CellOutcome> outcomes = {outcome_of("dpo", 1, 0.7), outcome_of("bce", 1, 0.6)};
  auto comparisons = compare(outcomes);
  const TestScores scores = scores_of(1, 20, 3, 0.1F, 1);
  add_bootstrap(comparisons, outcomes, [&](const Cell& cell) {
    return cell.method == "dpo" ? std::optional(scores) : std::nullopt;
  });
  EXPECT_FALSE(comparisons.at(0).bootstrap);
}

TEST(ClusterBootstrap, IsTheSameTwice) {
  const TwoMethods methods{scores_of(1, 30, 3, 0.2F, 1), scores_of(0.8F, 30, 3, 0.2F, 2)};
  EXPECT_EQ(methods.compared().at(0).bootstrap->low, methods.compared().at(0).bootstrap->low);
}

}  // namespace
}  // namespace molgauge::matrix
