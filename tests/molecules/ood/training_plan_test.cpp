#include "molecules/ood/run/training_plan.h"

#include <ATen/Parallel.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/numerics/torch/cpu_tensor_memory.h"
#include "molecules/ood/run/trainer.h"
#include "support/fixtures.h"
#include "training_fixture.h"

namespace molgauge::ood {
namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;

class TrainingPlans : public testing::Test {
 protected:
  TrainingPlans() {
    options_.hidden_dim = 64;
    options_.batch_size = 4096;
    options_.loss.kind = Loss::bce;  // the time of this loss is linear in the number of rows
  }
  TrainingPlan plan(std::uint64_t budget, std::size_t threads = 2) {
    return plan_training(
        options_,
        {.width = 8, .train_id = 4200, .train_ood = 5000, .validation = validation_, .is_on_gpu = is_on_gpu_},
        threads, {.budget_bytes = budget, .outside_bytes = torch::cpu_tensor_memory().allocated_bytes()});
  }
  /// The bytes of three execution strategies: all at once, checkpointing, and checkpointing with one part at
  /// a time.
  std::vector<std::uint64_t> bytes_of_ways() {
    std::vector<std::uint64_t> bytes;
    for (const PlannedAlternative& strategy : plan(1024 * kMebibyte).report.alternatives) {
      bytes.push_back(strategy.projected_bytes);
    }
    return bytes;
  }

  TrainingOptions options_;
  std::size_t validation_ = 200;
  bool is_on_gpu_ = false;
};

/// Two threads multiply on a GPU: the calling thread and the autograd thread.
TEST_F(TrainingPlans, CountTheWorkspacesOfAGpu) {
  const std::uint64_t on_cpu = bytes_of_ways().front();
  is_on_gpu_ = true;
  EXPECT_EQ(bytes_of_ways().front() - on_cpu, 128 * kMebibyte);
}

TEST_F(TrainingPlans, TakeThePlainWayWhereThereIsRoom) {
  const TrainingPlan planned = plan(1024 * kMebibyte);
  ASSERT_TRUE(planned.report.chosen);
  EXPECT_EQ(planned.strategy, memory::StepSettings{});
  EXPECT_EQ(planned.report.alternatives.size(), 3U);
  EXPECT_EQ(planned.report.limited_by, "the effective batch of 4096, as requested");
}

TEST_F(TrainingPlans, ComputeAgainWhereItIsNeeded) {
  const std::vector<std::uint64_t> bytes = bytes_of_ways();
  ASSERT_EQ(bytes.size(), 3U);
  EXPECT_LT(bytes[1], bytes[0]);
  EXPECT_LT(bytes[2], bytes[1]);
  const TrainingPlan on_all_threads = plan((bytes[0] + bytes[1]) / 2);
  ASSERT_TRUE(on_all_threads.report.chosen);
  EXPECT_TRUE(on_all_threads.strategy->checkpointing);
  EXPECT_EQ(on_all_threads.strategy->parts_at_once, 0U);
  // The budget is exactly the memory for one part at a time, plus the safety margin of a projection from
  // measured peaks.
  const TrainingPlan one_part = plan(bytes[2] + bytes[2] / 50);
  ASSERT_TRUE(one_part.report.chosen);
  EXPECT_EQ(one_part.strategy->parts_at_once, 1U);
  EXPECT_FALSE(plan(bytes[2] / 2).report.chosen);
}

TEST_F(TrainingPlans, ObeyWhatIsForced) {
  options_.memory_saving.checkpoint_activations = Checkpointing::on;
  EXPECT_TRUE(plan(1024 * kMebibyte).strategy->checkpointing);
  options_.memory_saving.checkpoint_activations = Checkpointing::off;
  EXPECT_EQ(plan(1024 * kMebibyte).report.alternatives.size(), 1U);
  options_.memory_saving = {};
  options_.memory_saving.gradient_accumulation = 4;
  EXPECT_EQ(plan(1024 * kMebibyte).strategy->parts_at_once, 4U) << "16 parts in 4 turns";
  options_.memory_saving = {};
  options_.memory_saving.autocast = Autocast::bf16;
  options_.memory_saving.optimizer_state = MomentType::bf16;
  EXPECT_EQ(plan(1024 * kMebibyte).strategy->precision, memory::Precision::bf16);
}

TEST_F(TrainingPlans, CountValidationWhereItIsLargerThanAStep) {
  validation_ = 400000;
  const std::uint64_t in_small_batches = bytes_of_ways().back();
  options_.eval_batch_size = 200000;
  // The gathered features alone take 12 MiB. A step in parts takes less than half of that.
  EXPECT_GT(bytes_of_ways().back(), in_small_batches + 6 * kMebibyte);
}

TEST_F(TrainingPlans, OfOnePartHaveOneWay) {
  options_.batch_size = 300;
  EXPECT_EQ(plan(1024 * kMebibyte).report.alternatives.size(), 1U);
}

/// The bound must hold for any order of the threads.
TEST_F(TrainingPlans, AreNotExceededByThreads) {
  const test::TemporaryFolder folder;
  const TrainingData data = test::training_data(4200, 8);
  options_.epochs = 1;
  options_.eval_steps = 0;
  options_.quiet = options_.log_epochs = options_.resume = false;
  const std::uint64_t features =
      data.train_id.nbytes() + data.train_ood.nbytes() + data.val_id.nbytes() + data.val_ood.nbytes();
  const memory::StepSettings strategies[] = {
      {}, {.checkpointing = true}, {.checkpointing = true, .parts_at_once = 1}};
  const int threads = at::get_num_threads();
  at::set_num_threads(4);
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const TrainingPlan planned =
      plan_training(options_,
                    {.width = 8,
                     .train_id = static_cast<std::size_t>(data.train_id.size(0)),
                     .train_ood = static_cast<std::size_t>(data.train_ood.size(0)),
                     .validation = static_cast<std::size_t>(data.val_id.size(0) + data.val_ood.size(0))},
                    4, {.budget_bytes = 1024 * kMebibyte, .outside_bytes = meter.allocated_bytes()});
  ASSERT_EQ(planned.report.alternatives.size(), 3U);
  for (std::size_t strategy = 0; strategy < 3; ++strategy) {
    options_.strategy = strategies[strategy];
    for (int round = 0; round < 3; ++round) {
      const std::uint64_t before = meter.allocated_bytes() - features;
      meter.reset_peak();
      train_energy_head(data, options_, folder / "run");
      EXPECT_LE(meter.peak_bytes() - before, planned.report.alternatives[strategy].projected_bytes)
          << strategy;
    }
  }
  at::set_num_threads(threads);
}

/// A run with a planned execution strategy needs no recovery. Its results are bit-identical to the results
/// without this strategy.
TEST_F(TrainingPlans, AreCarriedOutWithoutRecovery) {
  const test::TemporaryFolder folder;
  const TrainingData data = test::training_data(4200, 8);
  options_.epochs = 2;
  options_.quiet = true;
  options_.log_epochs = false;
  options_.resume = false;
  train_energy_head(data, options_, folder / "plain");
  options_.strategy = {.checkpointing = true, .parts_at_once = 1};
  const TrainingResult result = train_energy_head(data, options_, folder / "planned");
  EXPECT_EQ(result.oom_recoveries, 0U);
  EXPECT_LT(result.batch_size_planned, 4096U);
  EXPECT_EQ(result.batch_size_used, result.batch_size_planned);
  test::expect_same_training(folder / "plain", folder / "planned");
}

}  // namespace
}  // namespace molgauge::ood
