#include "molecules/experiments/matrix/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outcomes.h"

namespace molgauge::matrix {
namespace {

TEST(Summary, AveragesOverSeeds) {
  const auto summaries = summarize({outcome_of("dpo", 1, 0.6), outcome_of("dpo", 2, 0.8),
                                    outcome_of("bce", 1, 0.5), failed_outcome("bce", 2, "diverged")});
  ASSERT_EQ(summaries.size(), 2U);
  EXPECT_NEAR(summaries[0].auroc.mean, 0.7, 1e-12);
  EXPECT_NEAR(summaries[0].fpr95.mean, 0.3, 1e-12);
  EXPECT_EQ(summaries[1].auroc.count, 1U);
  EXPECT_EQ(summaries[1].failed, 1U);
}

TEST(Summary, OfFailuresAloneHasNoFigures) {
  EXPECT_EQ(summarize({failed_outcome("dpo", 1, "diverged")})[0].auroc.count, 0U);
}

TEST(Comparison, PairsBySeed) {
  const auto comparisons =
      compare({outcome_of("dpo", 1, 0.6), outcome_of("dpo", 2, 0.8), outcome_of("bce", 2, 0.7),
               outcome_of("bce", 1, 0.3), outcome_of("mse", 9, 0.1)});
  ASSERT_EQ(comparisons.size(), 1U) << "mse does not share a seed with the other methods";
  EXPECT_EQ(comparisons[0].pairs, 2U);
  EXPECT_NEAR(comparisons[0].mean_difference, 0.2, 1e-12);
  EXPECT_DOUBLE_EQ(comparisons[0].p_value, 0.5);
}

CellOutcome with_data_seed(CellOutcome outcome, std::uint64_t data_seed) {
  outcome.cell.data_seed = data_seed;
  return outcome;
}

TEST(Comparison, AveragesWithinADataSeedFirst) {
  std::vector<CellOutcome> outcomes;
  for (const std::uint64_t data_seed : {1U, 2U, 3U}) {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      outcomes.push_back(with_data_seed(outcome_of("dpo", seed, 0.8 + 0.001 * double(seed)), data_seed));
      outcomes.push_back(with_data_seed(outcome_of("bce", seed, 0.7), data_seed));
    }
  }
  const auto comparisons = compare(outcomes);
  ASSERT_EQ(comparisons.size(), 1U);
  EXPECT_EQ(comparisons[0].pairs, 30U);
  EXPECT_EQ(comparisons[0].data_seeds, 3U);
  EXPECT_TRUE(comparisons[0].averages_data_seeds);
  EXPECT_NEAR(comparisons[0].mean_difference, 0.1045, 1e-12);
  EXPECT_DOUBLE_EQ(comparisons[0].p_value, 2.0 / 8) << "three independent differences, not thirty";
}

TEST(Comparison, OneDataSeedTestsTrainingNoiseAndSaysSo) {
  const auto comparisons = compare({outcome_of("dpo", 1, 0.6), outcome_of("dpo", 2, 0.8),
                                    outcome_of("bce", 1, 0.3), outcome_of("bce", 2, 0.7)});
  EXPECT_FALSE(comparisons.at(0).averages_data_seeds);
  EXPECT_EQ(comparisons.at(0).data_seeds, 1U);
}

TEST(Comparison, PValuesAreCorrectedForAllPairsOfTheMatrix) {
  std::vector<CellOutcome> outcomes;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    outcomes.push_back(outcome_of("dpo", seed, 0.9 + 0.001 * double(seed)));
    outcomes.push_back(outcome_of("bce", seed, 0.7));
    outcomes.push_back(outcome_of("mse", seed, seed % 2 == 0 ? 0.71 : 0.69));
  }
  for (const Comparison& comparison : compare(outcomes)) {
    if (comparison.first == "dpo") {
      EXPECT_DOUBLE_EQ(comparison.p_value, 2.0 / 1024);
      EXPECT_DOUBLE_EQ(comparison.p_holm, 3 * 2.0 / 1024);
    }
  }
}

TEST(Summary, IntervalIsOverDataSeedsIfThereAreSeveral) {
  std::vector<CellOutcome> outcomes;
  for (std::uint64_t data_seed = 0; data_seed < 10; ++data_seed) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      outcomes.push_back(with_data_seed(outcome_of("dpo", seed, data_seed % 2 == 0 ? 0.6 : 0.8), data_seed));
    }
  }
  const auto summaries = summarize(outcomes);
  const double width = summaries.at(0).auroc.high - summaries.at(0).auroc.low;
  EXPECT_GT(width, 0.08) << "ten data seeds, not two hundred values, whose interval would be 0.03 wide";
  EXPECT_EQ(summaries.at(0).auroc.count, 200U);
}

TEST(Choice, IsMadeByValidationNeverByTest) {
  const auto chosen = choose_on_validation(
      summarize({grid_outcome(0.1, 0.9, 0.6), grid_outcome(1, 0.7, 0.8), outcome_of("bce", 1, 0.99, 0.99)}));
  ASSERT_EQ(chosen.size(), 1U) << "a method without a grid has nothing to choose";
  EXPECT_EQ(chosen[0].variant, "dpo,dpo-beta=1");
}

}  // namespace
}  // namespace molgauge::matrix
