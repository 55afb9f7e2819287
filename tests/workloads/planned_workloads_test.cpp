// Real tensor programs, planned by the planner and held to its figures.

#include <algorithm>
#include <vector>

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "memory/step_prober.h"
#include "ops/cpu_tensor_memory.h"
#include "workloads/attention_workload.h"
#include "workloads/message_workload.h"
#include "workloads/random_workload.h"

namespace headroom::workloads {
namespace {

using memory::ItemSize;

constexpr std::uint64_t kMebibyte = 1 << 20;

struct NoMarks : memory::StepMarks {
  void allocating(memory::Contributor) override {}
};

/// Every way to run a step, against the meter.
template <typename Model, typename Shape>
void expect_exact_projections(const Shape& shape) {
  memory::AllocationMeter& meter = ops::cpu_tensor_memory();
  const std::uint64_t outside = meter.allocated_bytes();
  Model model(shape, true);
  for (memory::StepSettings settings : model.variants()) {
    for (const bool accumulating : {false, true}) {
      settings.accumulating = accumulating;
      std::vector<ItemSize> items;
      for (std::uint64_t i = 0; i < 20; ++i) {
        items.push_back({5 + i * 7 % 23, 10 + i * 13 % 41});
      }
      memory::StepProber prober(model, meter, outside, 256 * kMebibyte, items);
      const auto projection = prober.project(settings);
      ASSERT_TRUE(projection);
      EXPECT_TRUE(projection->is_exact()) << to_string(settings);
      NoMarks marks;
      meter.reset_peak();
      model.run(items, settings, marks);
      EXPECT_EQ(projection->peak_bytes(model.load(items)), meter.peak_bytes() - outside)
          << to_string(settings);
    }
  }
}

TEST(PlannedWorkloads, AttentionIsProjectedToTheByte) {
  expect_exact_projections<AttentionWorkload>(AttentionShape{.layers = 2, .width = 16, .heads = 4});
}

TEST(PlannedWorkloads, MessagePassingIsProjectedToTheByte) {
  expect_exact_projections<MessageWorkload>(MessageShape{.layers = 3, .width = 16});
}

/// The first of those that docs/memory-planner.md has 200 of, with smaller budgets.
TEST(PlannedWorkloads, StayWithinTheirBudgets) {
  at::set_num_threads(1);
  std::vector<double> errors;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    const Trial trial = try_workload(random_workload(seed, 96 * kMebibyte), Extent::worst_batch);
    SCOPED_TRACE(trial.kind + ", seed " + std::to_string(seed));
    ASSERT_TRUE(trial.fits);
    EXPECT_FALSE(trial.refused);
    EXPECT_LE(trial.true_bytes, trial.budget_bytes);
    EXPECT_GE(trial.error(), -0.03);
    EXPECT_TRUE(trial.used_share >= 0.85 || trial.limited_by != "the budget");
    errors.push_back(std::abs(trial.error()));
  }
  std::sort(errors.begin(), errors.end());
  EXPECT_LE(errors[errors.size() / 2], 0.05);
}

}  // namespace
}  // namespace headroom::workloads
