// Compares the memory of real tensor programs with the figures of the planner.

#include <algorithm>
#include <vector>

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "base/memory/plan/step_prober.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "workloads/attention_workload.h"
#include "workloads/message_workload.h"
#include "workloads/random_workload.h"

namespace molgauge::workloads {
namespace {

using memory::ItemSize;

constexpr std::uint64_t kMebibyte = 1 << 20;

struct NoMarks : memory::AllocationTagger {
  void allocating(memory::AllocationTag) override {}
};

/// Compares the planned memory of every execution strategy of a step with the measured memory. If a step has
/// a fixed sequence of allocations, the plan is exact. If a library chooses its workspace, as for bf16, the
/// plan is never too low.
template <typename Model, typename Shape>
void expect_projections(const Shape& shape) {
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
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
      SCOPED_TRACE(to_string(settings) + (accumulating ? ", accumulating" : ""));
      auto projection = prober.project(settings);
      ASSERT_TRUE(projection);
      EXPECT_EQ(projection->is_exact(), model.has_static_allocations(settings));
      prober.confirm(items, settings, *projection);  // a plan confirms its worst batch in the same way
      NoMarks marks;
      meter.reset_peak();
      model.run(items, settings, marks);
      const std::uint64_t projected = projection->peak_bytes(model.cost(items));
      const std::uint64_t taken = meter.peak_bytes() - outside;
      if (projection->is_exact()) {
        EXPECT_EQ(projected, taken);
      } else {
        EXPECT_GE(projected, taken);
      }
    }
  }
}

TEST(PlannedWorkloads, AttentionIsProjectedToTheByteOrCovered) {
  expect_projections<AttentionWorkload>(AttentionShape{.layers = 2, .width = 16, .heads = 4});
}

TEST(PlannedWorkloads, MessagePassingIsProjectedToTheByteOrCovered) {
  expect_projections<MessageWorkload>(MessageShape{.layers = 3, .width = 16});
}

TEST(PlannedWorkloads, UnimolTakesWhatIsProjected) {
  at::set_num_threads(1);
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Trial trial = try_workload(random_unimol_workload(seed, 80 * kMebibyte), Extent::worst_batch);
    SCOPED_TRACE("seed " + std::to_string(seed));
    ASSERT_TRUE(trial.fits);
    EXPECT_FALSE(trial.refused);
    EXPECT_TRUE(trial.is_exact);
    EXPECT_EQ(trial.true_bytes, trial.projected_bytes);
  }
}

/// The first of the 200 workloads in docs/results/memory.md, with smaller budgets.
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
}  // namespace molgauge::workloads
