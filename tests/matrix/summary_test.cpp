#include "matrix/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "outcomes.h"

namespace headroom::matrix {
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
  ASSERT_EQ(comparisons.size(), 1U) << "mse shares no seed with the others";
  EXPECT_EQ(comparisons[0].pairs, 2U);
  EXPECT_NEAR(comparisons[0].mean_difference, 0.2, 1e-12);
  EXPECT_DOUBLE_EQ(comparisons[0].p_value, 0.5);
}

TEST(Choice, IsMadeByValidationNeverByTest) {
  const auto chosen = choose_on_validation(
      summarize({grid_outcome(0.1, 0.9, 0.6), grid_outcome(1, 0.7, 0.8), outcome_of("bce", 1, 0.99, 0.99)}));
  ASSERT_EQ(chosen.size(), 1U) << "a method without a grid has nothing to choose";
  EXPECT_EQ(chosen[0].variant, "dpo,dpo-beta=1");
}

}  // namespace
}  // namespace headroom::matrix
