#include "base/train/execution_strategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace molgauge::train {
namespace {

using testing::HasSubstr;

constexpr PartBytes kMean{.kept = 10, .highest = 30}, kLargest{.kept = 20, .highest = 50};

std::vector<ExecutionStrategy> strategies(const MemorySavingOptions& options, std::size_t parts) {
  return execution_strategies(options, kMean, kLargest, parts, /*threads=*/2);
}

TEST(ExecutionStrategies, SaveMoreMemoryOneAfterTheOther) {
  const auto found = strategies({}, 4);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_FALSE(found[0].settings.checkpointing);
  EXPECT_EQ(found[0].bytes, 3 * 10 + 20 + 2 * 30)
      << "all parts with their activations, two in the backward pass";
  EXPECT_EQ(found[1].settings.parts_at_once, 2U);
  EXPECT_EQ(found[1].bytes, 2U * 50);
  EXPECT_EQ(found[2].settings.parts_at_once, 1U);
  EXPECT_EQ(found[2].bytes, 50U);
  EXPECT_DOUBLE_EQ(found[2].relative_time, 2 * found[1].relative_time);
}

TEST(ExecutionStrategies, FollowTheOptions) {
  EXPECT_EQ(strategies({.checkpoint_activations = Checkpointing::off}, 4).size(), 1U);
  EXPECT_EQ(strategies({.checkpoint_activations = Checkpointing::on}, 4).size(), 2U);
  EXPECT_EQ(strategies({.checkpoint_activations = Checkpointing::on}, 1).size(), 1U)
      << "one part has only one strategy";
  const auto conservative = strategies({.is_conservative = true}, 4);
  ASSERT_EQ(conservative.size(), 1U);
  EXPECT_EQ(conservative.front().settings.parts_at_once, 1U);
  const auto accumulated = strategies({.gradient_accumulation = 3}, 7);
  ASSERT_EQ(accumulated.size(), 1U);
  EXPECT_EQ(accumulated.front().settings.parts_at_once, 3U);
}

TEST(ExecutionStrategies, BecomeAlternatives) {
  MemoryPlan plan;
  plan.items = 10;
  plan.effective_batch = 4;
  plan.budget_bytes = 100;
  EXPECT_EQ(add_alternative(plan, {}, 300).saved_bytes, 0);
  EXPECT_FALSE(plan.alternatives.front().fits);
  EXPECT_THAT(plan.alternatives.front().remark, HasSubstr("200 B more than the budget"));
  const PlannedAlternative other = add_alternative(plan, {.settings = {}, .relative_time = 2}, 100);
  EXPECT_TRUE(other.fits);
  EXPECT_EQ(other.saved_bytes, 200);
  EXPECT_EQ(other.batches, 3U);
}

}  // namespace
}  // namespace molgauge::train
