#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "base/numerics/torch/bfloat16_products.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "molecules/ood/run/trainer.h"
#include "refused_allocations.h"
#include "support/fixtures.h"
#include "training_fixture.h"

namespace molgauge::ood {
namespace {

using test::expect_same_training;

class TrainingRecovery : public testing::Test {
 protected:
  void SetUp() override {
    set_log_level(LogLevel::off);
    torch::cpu_tensor_memory();
    torch::prepare_bfloat16_products();  // tries one product, so that its memory is not counted later
    data_ = test::training_data(1100, 8);
    options_ = test::small_options();
    options_.hidden_dim = 8;
    options_.epochs = 2;
    options_.batch_size = 800;  // three shards in the first batch, one in the second
    options_.eval_batch_size = 600;
    options_.eval_steps = 3;
  }
  TrainingResult train(const std::filesystem::path& run) {
    options_.resume = false;
    return train_energy_head(data_, options_, run);
  }
  /// Returns the peak of the tensors that the training allocates, in bytes.
  std::uint64_t peak(const std::filesystem::path& run) {
    memory::AllocationMeter& meter = torch::cpu_tensor_memory();
    const std::uint64_t before = meter.allocated_bytes();
    meter.reset_peak();
    train(run);
    return meter.peak_bytes() - before;
  }

  test::TemporaryFolder folder_;
  TrainingData data_;
  TrainingOptions options_;
};

TEST_F(TrainingRecovery, EveryLossEndsAsUndisturbedWhateverAllocationIsRefused) {
  for (const Loss kind : {Loss::dpo, Loss::bce, Loss::mse, Loss::hinge}) {
    SCOPED_TRACE(to_string(kind));
    options_.loss.kind = kind;
    const auto expected = folder_ / to_string(kind), actual = folder_ / "disturbed";
    const std::uint64_t allocations = test::count_allocations([&] { train(expected); });
    test::refuse_each(allocations, 30, [&](std::uint64_t) {
      EXPECT_EQ(train(actual).oom_recoveries, 1U);
      expect_same_training(expected, actual);
    });
  }
}

TEST_F(TrainingRecovery, MomentsInBfloat16AreNotHalfUpdated) {
  options_.memory_saving.optimizer_state = MomentType::bf16;
  const std::uint64_t allocations = test::count_allocations([&] { train(folder_ / "expected"); });
  test::refuse_each(allocations, 30, [&](std::uint64_t) {
    train(folder_ / "disturbed");
    expect_same_training(folder_ / "expected", folder_ / "disturbed");
  });
}

TEST_F(TrainingRecovery, StepsOfEveryWayEndAsUndisturbedWhateverAllocationIsRefused) {
  train::MemorySavingOptions checkpointed, in_parts, in_16_bits;
  checkpointed.checkpoint_activations = Checkpointing::on;
  in_parts.gradient_accumulation = 3;
  in_16_bits.autocast = Autocast::bf16;
  for (const train::MemorySavingOptions& memory_saving : {checkpointed, in_parts, in_16_bits}) {
    options_.memory_saving = memory_saving;
    const std::uint64_t allocations = test::count_allocations([&] { train(folder_ / "expected"); });
    test::refuse_each(allocations, 30, [&](std::uint64_t) {
      EXPECT_EQ(train(folder_ / "disturbed").oom_recoveries, 1U);
      expect_same_training(folder_ / "expected", folder_ / "disturbed");
    });
  }
}

TEST_F(TrainingRecovery, AccumulationAndCheckpointingChangeNoByteAndTakeLess) {
  data_ = test::training_data(4200, 8);
  options_.hidden_dim = 64;
  options_.batch_size = 4096;
  const std::uint64_t plain = peak(folder_ / "plain");
  options_.memory_saving.checkpoint_activations = Checkpointing::on;
  const std::uint64_t checkpointed = peak(folder_ / "checkpointed");
  expect_same_training(folder_ / "plain", folder_ / "checkpointed");
  EXPECT_LT(static_cast<double>(checkpointed), 0.75 * static_cast<double>(plain));
  options_.memory_saving.checkpoint_activations = Checkpointing::automatic;
  options_.memory_saving.gradient_accumulation = 16;
  EXPECT_LE(peak(folder_ / "accumulated"), checkpointed);
  expect_same_training(folder_ / "plain", folder_ / "accumulated");
}

TEST_F(TrainingRecovery, ABudgetBelowWhatIsPlannedIsKeptWithTheSameResult) {
  data_ = test::training_data(4200, 8);
  options_.hidden_dim = 64;
  options_.batch_size = 4096;
  const std::uint64_t plain = peak(folder_ / "plain");
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const memory::AllocationLimit budget(meter, meter.allocated_bytes() + plain * 7 / 10);
  const TrainingResult result = train(folder_ / "tight");
  expect_same_training(folder_ / "plain", folder_ / "tight");
  EXPECT_GE(result.oom_recoveries, 1U);
  EXPECT_EQ(result.batch_size_planned, 4096U);
  EXPECT_LT(result.batch_size_used, 4096U);
}

TEST_F(TrainingRecovery, ABudgetThatNothingFitsNamesWhatTakesMost) {
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  const memory::AllocationLimit budget(meter, meter.allocated_bytes() + (180U << 10U));
  try {
    train(folder_ / "run");
    FAIL() << "trained in 180 KiB";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::over_budget) << error.what();
    EXPECT_THAT(error.what(), testing::HasSubstr("Most of it"));
  }
}

TEST_F(TrainingRecovery, BfloatIsCloseToFloat) {
  options_.epochs = 6;
  options_.patience = 6;
  options_.hidden_dim = 32;
  const double exact = train(folder_ / "fp32").best_auroc;
  options_.memory_saving.autocast = Autocast::bf16;
  EXPECT_NEAR(train(folder_ / "autocast").best_auroc, exact, 0.01);
  options_.memory_saving.autocast = Autocast::off;
  options_.memory_saving.optimizer_state = MomentType::bf16;
  EXPECT_NEAR(train(folder_ / "state").best_auroc, exact, 0.01);
}

}  // namespace
}  // namespace molgauge::ood
