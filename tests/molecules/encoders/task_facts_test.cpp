#include "molecules/encoders/chemprop/task_facts.h"

#include <array>

#include <gtest/gtest.h>

namespace molgauge::encoders::chemprop {
namespace {

TEST(TaskFactsTest, NameTheMeaningOfTheTasksOfAdmetAi) {
  const TaskFacts* const herg = find_admet_task("hERG");
  ASSERT_NE(herg, nullptr);
  EXPECT_EQ(herg->class_one, "blocks the hERG channel");
  EXPECT_EQ(herg->category, "toxicity");
  const TaskFacts* const half_life = find_admet_task("Half_Life_Obach");
  ASSERT_NE(half_life, nullptr);
  EXPECT_EQ(half_life->unit, "h");
  EXPECT_EQ(half_life->lowest, 0);
  EXPECT_EQ(find_admet_task("logD"), nullptr);
}

TEST(TaskFactsTest, AreInTheOrderOfTheirImportance) {
  EXPECT_EQ(importance(*find_admet_task("hERG")), 0U);
  EXPECT_LT(importance(*find_admet_task("Lipophilicity_AstraZeneca")), importance(*find_admet_task("AMES")));
  EXPECT_LT(importance(*find_admet_task("Solubility_AqSolDB")), importance(*find_admet_task("NR-AR")));
}

/// The expected numbers are those of scipy.stats.percentileofscore.
TEST(PercentileOfScoreTest, CountsEqualValuesHalf) {
  constexpr std::array<float, 4> kValues = {1, 2, 3, 4};
  EXPECT_EQ(percentile_of_score(kValues, 3), 75);
  EXPECT_EQ(percentile_of_score(kValues, 2.5F), 50);
  EXPECT_EQ(percentile_of_score(kValues, 0), 0);
  EXPECT_EQ(percentile_of_score(kValues, 9), 100);
  constexpr std::array<float, 5> kTies = {1, 2, 3, 3, 4};
  EXPECT_EQ(percentile_of_score(kTies, 3), 70);
}

}  // namespace
}  // namespace molgauge::encoders::chemprop
