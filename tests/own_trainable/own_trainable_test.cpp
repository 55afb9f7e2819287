// Tests a model of another program with two groups of parameters. The model is trained, saved in checkpoints,
// resumed, recovered after running out of memory, planned and checked. The program implements only the model.

#include <array>
#include <filesystem>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/log.h"
#include "base/memory/plan/planner.h"
#include "base/memory/recover/refused_allocations.h"
#include "base/numerics/torch/allocator_access.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/train/model_step.h"
#include "base/train/step_options.h"
#include "base/train/trainer.h"
#include "small_network.h"
#include "support/fixtures.h"

namespace molgauge::test {
namespace {

constexpr std::int64_t kRows = 2600;  // a batch of this size has two shards

class OwnTrainable : public testing::Test {
 protected:
  void SetUp() override {
    set_log_level(LogLevel::off);
    torch::cpu_tensor_memory();
  }
  void TearDown() override { request_cancellation(false); }

  static train::TrainerOptions options(const SmallNetwork& network,
                                       const train::MemorySavingOptions& memory_saving = {}) {
    train::TrainerOptions options;
    options.epochs = 6;
    options.patience = 6;
    options.step = train::step_options(
        {.width = 6, .rows = network.rows(0), .device = at::kCPU, .threads = 2}, memory_saving, {});
    options.step.clipping.norm = 1;
    return options;
  }

  /// Trains in a run folder. Returns the reports of recoveries.
  std::size_t train(const std::string& run, const train::MemorySavingOptions& memory_saving = {},
                    bool resume = true) {
    const std::filesystem::path folder = folder_ / run;
    memory::Workload making;
    making.name = "making a network";
    memory::Recovery recovery(making, torch::allocator_access(at::kCPU));
    std::optional<SmallNetwork> network;
    std::optional<train::Trainer> trainer;
    recovery.retry_until_fits("making a network", [&] {
      network.emplace(training_, validation_, false, folder);
      train::TrainerOptions own = options(*network, memory_saving);
      own.resume = resume;
      trainer.emplace(*network, own, train::RunFolder{folder, {"small network", "made up"}});
    });
    trainer->run();
    return trainer->memory().recoveries + recovery.counts().recoveries;
  }
  void expect_same(const std::string& expected, const std::string& actual) const {
    for (const char* file : {"best.safetensors", "checkpoints/last.safetensors"}) {
      EXPECT_TRUE(read_file(folder_ / expected / file) == read_file(folder_ / actual / file)) << file;
    }
  }

  TemporaryFolder folder_;
  Measured training_ = made_up_measurements(kRows), validation_ = made_up_measurements(100);
};

TEST_F(OwnTrainable, Learns) {
  SmallNetwork network(training_, validation_);
  const double before = network.validate();
  train::TrainerOptions own = options(network);
  own.epochs = 60;
  own.patience = 60;
  train::Trainer trainer(network, own);
  trainer.run();
  EXPECT_GT(trainer.state().stopping.best, 0.6 * before);
  EXPECT_EQ(trainer.state().epoch, 60U);
  EXPECT_FALSE(trainer.resumed());
}

TEST_F(OwnTrainable, AFrozenGroupStaysAsItIs) {
  SmallNetwork network(training_, validation_, /*frozen=*/true);
  const at::Tensor first = network.parameters().all()[0].value.clone(),
                   second = network.parameters().all()[1].value.clone();
  train::Trainer(network, options(network)).run();
  EXPECT_TRUE(at::equal(network.parameters().all()[0].value, first));
  EXPECT_FALSE(at::equal(network.parameters().all()[1].value, second));
}

TEST_F(OwnTrainable, ResumedAfterAnyStepItEqualsTheUndisturbed) {
  train("whole");
  for (std::size_t stop = 1; stop < 12; ++stop) {
    SCOPED_TRACE(stop);
    const std::string run = "stopped" + std::to_string(stop);
    SmallNetwork network(training_, validation_, false, folder_ / run);
    train::TrainerOptions own = options(network);
    std::size_t steps = 0;
    own.step.sum_gradients = [&](const train::Parameters&) { request_cancellation(++steps == stop); };
    train::Trainer trainer(network, own, train::RunFolder{folder_ / run, {"small network", "made up"}});
    EXPECT_THROW(trainer.run(), Interrupted);
    request_cancellation(false);
    train(run);
    expect_same("whole", run);
  }
}

TEST_F(OwnTrainable, ACheckpointOfAnotherTrainingIsRefused) {
  train("run");
  SmallNetwork network(training_, validation_, false, folder_ / "run");
  train::Trainer trainer(network, options(network),
                         train::RunFolder{folder_ / "run", {"another network", "made up"}});
  EXPECT_THROW(trainer.run(), InputError);
}

TEST_F(OwnTrainable, CheckpointingAndAccumulationChangeNoByte) {
  train("plain");
  train::MemorySavingOptions checkpointed, in_parts;
  checkpointed.checkpoint_activations = Checkpointing::on;
  in_parts.gradient_accumulation = 2;
  train("checkpointed", checkpointed);
  train("in_parts", in_parts);
  expect_same("plain", "checkpointed");
  expect_same("plain", "in_parts");
}

TEST_F(OwnTrainable, EndsAsUndisturbedWhateverAllocationIsRefused) {
  const std::uint64_t allocations = count_allocations([&] { train("expected", {}, /*resume=*/false); });
  refuse_each(allocations, 40, [&](std::uint64_t) {
    std::size_t recoveries = 0;
    ASSERT_NO_THROW(recoveries = train("disturbed", {}, /*resume=*/false));
    EXPECT_EQ(recoveries, 1U);
    expect_same("expected", "disturbed");
  });
}

TEST_F(OwnTrainable, IsPlannedToABudget) {
  SmallNetwork network(training_, validation_);
  const std::uint64_t data = training_.rows.nbytes();
  train::ModelStep step(
      network, [&](std::int64_t rows) { return network.made_up_batch(rows); }, "train a small network", data);
  memory::PlanningRequest request;
  request.items.resize(kRows);
  request.items_name = "rows";
  request.effective_batch = kRows / 2;
  request.budget_bytes = 1U << 30U;
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  request.outside_bytes =
      meter.allocated_bytes() - network.parameters().bytes() - network.optimizer().state_bytes();
  const memory::PlannedSteps plenty = memory::plan_steps(step, meter, request);
  ASSERT_TRUE(plenty.plan.has_value());
  EXPECT_FALSE(plenty.plan->settings.checkpointing);

  request.budget_bytes = plenty.report.alternatives[*plenty.report.chosen].projected_bytes - 1;
  const memory::PlannedSteps tight = memory::plan_steps(step, meter, request);
  ASSERT_TRUE(tight.plan.has_value());
  EXPECT_TRUE(tight.plan->settings.checkpointing);

  request.budget_bytes = 1U << 10U;
  EXPECT_FALSE(memory::plan_steps(step, meter, request).plan.has_value());
}

}  // namespace
}  // namespace molgauge::test
