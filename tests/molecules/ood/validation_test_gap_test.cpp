#include "molecules/ood/run/validation_test_gap.h"

#include <cmath>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "support/fixtures.h"

namespace molgauge::ood {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<float> normal_scores(std::size_t count, float mean, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> noise(mean, 1);
  std::vector<float> scores(count);
  for (float& score : scores) {
    score = noise(random);
  }
  return scores;
}

/// The AUROC on validation is about 0.92, as for two normal distributions at a distance of 2.
ValidationScores good_validation(std::size_t count) {
  return calibrate(normal_scores(count, 0, 1), normal_scores(count, 2, 2));
}

TEST(ValidationTestGap, IsLargeIfItIsBeyondChanceAndATenth) {
  const ValidationTestGap gap =
      gap_between(good_validation(400), normal_scores(400, 0, 3), normal_scores(400, 0.3F, 4));
  EXPECT_NEAR(gap.validation_auroc, 0.92, 0.03);
  EXPECT_NEAR(gap.test_auroc, 0.58, 0.04);
  EXPECT_LT(gap.difference_low, gap.validation_auroc - gap.test_auroc);
  EXPECT_GT(gap.difference_high, gap.validation_auroc - gap.test_auroc);
  EXPECT_TRUE(gap.is_large);
  EXPECT_THAT(gap_warning(gap),
              AllOf(HasSubstr("AUROC on all validation molecules is 0.9"), HasSubstr("test AUROC is 0.5")));
}

TEST(ValidationTestGap, IsNotLargeWithinChance) {
  const ValidationTestGap few =
      gap_between(good_validation(6), normal_scores(6, 0, 3), normal_scores(6, 1, 4));
  EXPECT_FALSE(few.is_large);
  EXPECT_EQ(gap_warning(few), "");
  const ValidationTestGap alike =
      gap_between(good_validation(4000), normal_scores(4000, 0, 3), normal_scores(4000, 1.7F, 4));
  EXPECT_GT(alike.difference_low, 0);
  EXPECT_FALSE(alike.is_large);
  const ValidationTestGap better =
      gap_between(good_validation(400), normal_scores(400, 0, 3), normal_scores(400, 4, 4));
  EXPECT_FALSE(better.is_large);
}

TEST(ValidationTestGap, PerfectAreasHaveAnInterval) {
  const ValidationTestGap gap = gap_between(calibrate({1, 2, 3}, {4, 5}), std::vector<float>{1, 2, 3},
                                            std::vector<float>{0, 2.5F, 1.5F});
  EXPECT_EQ(gap.validation_auroc, 1);
  EXPECT_FALSE(std::isnan(gap.difference_low));
}

TEST(ValidationTestGap, IsKeptInTheRunFolder) {
  const test::TemporaryFolder run;
  keep_checksums(run.path());
  EXPECT_FALSE(stored_gap(run.path()));
  replace_file(run / "training_stats.json", R"({"best_auroc": 0.92})");
  EXPECT_FALSE(stored_gap(run.path()));
  add_gap_to_training_stats(run.path(), {0.92, 0.58, 0.3, 0.4, true});
  const auto stats = nlohmann::json::parse(read_file(run / "training_stats.json"));
  EXPECT_EQ(stats.at("best_auroc"), 0.92);
  EXPECT_EQ(stats.at("validation_test_gap").at("test_auroc"), 0.58);
  const auto gap = stored_gap(run.path());
  ASSERT_TRUE(gap);
  EXPECT_EQ(gap->difference_high, 0.4);
  EXPECT_TRUE(gap->is_large);
}

TEST(ValidationTestGap, ALargeGapOfAnEvaluationCounts) {
  const test::TemporaryFolder run;
  replace_file(run / "training_stats.json", "{}");
  add_gap_to_training_stats(run.path(), {0.92, 0.9, -0.1, 0.1, false});
  replace_file(run / "ood_evaluation_results.json",
               R"({"validation_test_gap": {"validation_auroc": 0.92, "test_auroc": 0.6, "difference": 0.32,
                   "difference_low": null, "difference_high": null, "is_large": true}})");
  EXPECT_TRUE(stored_gap(run.path())->is_large);
  replace_file(run / "ood_evaluation_results.json", R"({"validation_test_gap": null})");
  EXPECT_FALSE(stored_gap(run.path())->is_large);
  replace_file(run / "ood_evaluation_results.json", R"({"validation_test_gap": {"test_auroc": "high"}})");
  EXPECT_THROW(stored_gap(run.path()), InputError);
}

TEST(ValidationTestGap, OfSeveralRunsIsTheMean) {
  EXPECT_FALSE(mean_gap({}));
  const std::vector<ValidationTestGap> gaps = {
      {0.9, 0.6, 0, 0, true}, {0.8, 0.5, 0, 0, true}, {1, 1, 0, 0, false}};
  const auto mean = mean_gap(gaps);
  EXPECT_DOUBLE_EQ(mean->validation_auroc, 0.9);
  EXPECT_DOUBLE_EQ(mean->test_auroc, 0.7);
  EXPECT_TRUE(mean->is_large);
  EXPECT_THAT(gap_warning(*mean), testing::Not(HasSubstr("interval")));
}

}  // namespace
}  // namespace molgauge::ood
