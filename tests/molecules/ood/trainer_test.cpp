#include "molecules/ood/run/trainer.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/log.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/ood/head/energy_head.h"
#include "molecules/ood/head/tensor_scoring.h"
#include "molecules/ood/run/run_config.h"
#include "molecules/ood/run/run_results.h"
#include "support/fixtures.h"
#include "training_fixture.h"

namespace molgauge::ood {
namespace {

using test::expect_same_training;
using test::small_options;
using test::training_data;
using testing::AllOf;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class Trainer : public testing::Test {
 protected:
  void SetUp() override { set_log_level(LogLevel::off); }
  void TearDown() override { request_cancellation(false); }

  /// Expects that a training that the hooks stop continues to the result of the training "whole".
  void expect_resumed(std::size_t stop, const TrainingHooks& hooks) {
    SCOPED_TRACE(stop);
    const auto run = folder_ / ("stopped" + std::to_string(stop));
    EXPECT_THROW(train_energy_head(data_, options_, run, hooks), Interrupted);
    request_cancellation(false);
    EXPECT_TRUE(train_energy_head(data_, options_, run).resumed);
    expect_same_training(folder_ / "whole", run);
  }

  test::TemporaryFolder folder_;
  TrainingData data_ = training_data();
  TrainingOptions options_ = small_options();
};

TEST_F(Trainer, LearnsToSeparate) {
  const TrainingResult result = train_energy_head(data_, options_, folder_ / "run");
  EXPECT_EQ(result.epochs_run, 7U);
  EXPECT_FALSE(result.resumed);
  EXPECT_FALSE(result.stopped_early);
  EXPECT_GT(result.best_auroc, 0.7);
  const auto best = io::read_safetensors(folder_ / "run/best_model.safetensors");
  const EnergyHead head(HeadWeights::from_tensors(best.tensors, "best"));
  EXPECT_EQ(validate_head(head, data_.val_id, data_.val_ood, options_.loss, 16, 1).metrics.auroc,
            result.best_auroc);
}

TEST_F(Trainer, KeepsTheLastThreeCheckpoints) {
  options_.epochs = 18;
  options_.patience = 100;
  train_energy_head(data_, options_, folder_ / "run");
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "run/checkpoints")) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names,
            (std::vector<std::string>{"checkpoint_epoch_010.safetensors", "checkpoint_epoch_015.safetensors",
                                      "checkpoint_epoch_017.safetensors", "checksums.xxh128",
                                      "last.safetensors", "train_time.json"}));
}

TEST_F(Trainer, WritesDynamicsForDpoOnly) {
  train_energy_head(data_, options_, folder_ / "dpo");
  const std::string text = read_file(folder_ / "dpo/training_dynamics.csv");
  EXPECT_TRUE(text.starts_with("epoch,misranked_ratio,boundary_ratio,avg_margin\n1,"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 8);
  options_.loss.kind = Loss::bce;
  train_energy_head(data_, options_, folder_ / "bce");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "bce/training_dynamics.csv"));
}

TEST_F(Trainer, WritesACurveOfEveryEpoch) {
  std::string expected = "epoch,train_loss,validation_loss,auroc,aupr,fpr95,learning_rate,gradient_norm\n";
  TrainingHooks hooks;
  hooks.after_epoch = [&](const EpochReport& report) {
    const auto& [loss, separation, metrics] = report.validation;
    expected +=
        fmt::format("{},{},{},{},{},{},{},{}\n", report.epoch + 1, report.train_loss, loss, metrics.auroc,
                    metrics.aupr, metrics.fpr95, report.epoch < 10 ? 3e-3 : 3e-3 * 0.9, report.gradient_norm);
    EXPECT_GT(report.gradient_norm, 0);
  };
  options_.epochs = 12;
  options_.patience = 100;
  train_energy_head(data_, options_, folder_ / "run", hooks);
  EXPECT_EQ(read_file(folder_ / "run/training_curve.csv"), expected);
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 13);
}

TEST_F(Trainer, IsTheSameForAnyNumberOfThreads) {
  const int before = at::get_num_threads();
  data_ = training_data(700, 128);
  options_.batch_size = 600;
  at::set_num_threads(1);
  train_energy_head(data_, options_, folder_ / "one");
  at::set_num_threads(2);
  train_energy_head(data_, options_, folder_ / "two");
  at::set_num_threads(before);
  expect_same_training(folder_ / "one", folder_ / "two");
}

TEST_F(Trainer, DependsOnTheSeed) {
  train_energy_head(data_, options_, folder_ / "one");
  options_.seed = 39;
  train_energy_head(data_, options_, folder_ / "two");
  EXPECT_NE(read_file(folder_ / "one/best_model.safetensors"),
            read_file(folder_ / "two/best_model.safetensors"));
}

TEST_F(Trainer, StopsEarly) {
  options_.learning_rate = 1e-30;
  options_.epochs = 30;
  options_.patience = 3;
  const TrainingResult result = train_energy_head(data_, options_, folder_ / "run");
  EXPECT_EQ(result.epochs_run, 4U);
  EXPECT_TRUE(result.stopped_early);
  EXPECT_EQ(result.best_epoch, 0U);
}

TEST_F(Trainer, ResumedAfterAnyEpochEqualsTheUndisturbed) {
  train_energy_head(data_, options_, folder_ / "whole");
  for (std::size_t stop = 0; stop < options_.epochs; ++stop) {
    TrainingHooks hooks;
    hooks.after_epoch = [&](const EpochReport& report) { request_cancellation(report.epoch == stop); };
    expect_resumed(stop, hooks);
  }
}

TEST_F(Trainer, ResumedAfterAnyStepEqualsTheUndisturbed) {
  train_energy_head(data_, options_, folder_ / "whole");
  // An epoch has 4 steps, and there is an evaluation after every 3 steps.
  for (const std::size_t stop : {1, 3, 4, 6, 7, 11, 12, 28}) {
    TrainingHooks hooks;
    hooks.after_step = [&](std::size_t steps) { request_cancellation(steps == stop); };
    expect_resumed(stop, hooks);
  }
}

TEST_F(Trainer, AFinishedTrainingIsLeftAsItIs) {
  const TrainingResult first = train_energy_head(data_, options_, folder_ / "run");
  TrainingHooks hooks;
  hooks.after_step = [](std::size_t) { FAIL() << "trained again"; };
  const TrainingResult again = train_energy_head(data_, options_, folder_ / "run", hooks);
  EXPECT_TRUE(again.resumed);
  EXPECT_EQ(again.best_auroc, first.best_auroc);
  EXPECT_EQ(again.best_epoch, first.best_epoch);
  EXPECT_EQ(again.epochs_run, first.epochs_run);
}

TEST_F(Trainer, GoesOnWithMoreEpochs) {
  options_.epochs = 12;
  train_energy_head(data_, options_, folder_ / "whole");
  options_.epochs = 6;
  train_energy_head(data_, options_, folder_ / "extended");
  options_.epochs = 12;
  train_energy_head(data_, options_, folder_ / "extended");
  expect_same_training(folder_ / "whole", folder_ / "extended");
}

/// The best model of twelve epochs differs from the best model of six.
TEST_F(Trainer, RefusesFewerEpochsThanItHasRun) {
  const auto refusal = [&] {
    try {
      train_energy_head(data_, options_, folder_ / "run");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  options_.epochs = 12;
  train_energy_head(data_, options_, folder_ / "run");
  options_.epochs = 6;
  EXPECT_THAT(refusal(), AllOf(HasSubstr("12 epochs, more than --epochs 6"), HasSubstr("--restart")));
  options_.resume = false;
  EXPECT_EQ(train_energy_head(data_, options_, folder_ / "run").epochs_run, 6U);

  // The training is stopped in the third of twelve epochs.
  options_.epochs = 12;
  TrainingHooks hooks;
  hooks.after_step = [&](std::size_t steps) { request_cancellation(steps == 10); };
  EXPECT_THROW(train_energy_head(data_, options_, folder_ / "run", hooks), Interrupted);
  request_cancellation(false);
  options_.resume = true;
  options_.epochs = 2;
  EXPECT_THAT(refusal(), HasSubstr("3 epochs, more than --epochs 2"));
  options_.epochs = 3;
  EXPECT_EQ(train_energy_head(data_, options_, folder_ / "run").epochs_run, 3U);
}

/// All files that describe a run or its model are removed before another model can replace it.
TEST_F(Trainer, ARestartLeavesNothingOfTheRunBefore) {
  const std::filesystem::path run = folder_ / "run";
  const TrainingResult result = train_energy_head(data_, options_, run);
  const RunConfig config;
  write_run_config(run, config);
  write_training_stats(run, result, {});
  const EnergyHead head(load_best_model(run, 16));
  write_evaluation(run, evaluate_head(head, data_.val_id, data_.val_ood, 11), {});
  options_.seed = 39;
  options_.resume = false;
  TrainingHooks hooks;
  hooks.after_step = [](std::size_t) { request_cancellation(); };
  EXPECT_THROW(train_energy_head(data_, options_, run, hooks), Interrupted);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(run)) {
    names.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(names, UnorderedElementsAre("checkpoints", "checksums.xxh128", "training_curve.csv"));
}

TEST_F(Trainer, StartsAnewWithoutResume) {
  train_energy_head(data_, options_, folder_ / "run");
  options_.seed = 39;
  options_.resume = false;
  EXPECT_FALSE(train_energy_head(data_, options_, folder_ / "run").resumed);
}

TEST_F(Trainer, RefusesFeaturesThatAreNotFinite) {
  data_.val_ood = data_.val_ood.clone();
  data_.val_ood[1][2] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(train_energy_head(data_, options_, folder_ / "run"), InputError);
  data_.val_ood = at::empty({0, 16});
  EXPECT_THROW(train_energy_head(data_, options_, folder_ / "run"), InputError);
}

TEST_F(Trainer, SaysWhenItDiverges) {
  options_.learning_rate = 1e30;
  options_.grad_clip = 0;
  EXPECT_THROW(train_energy_head(data_, options_, folder_ / "run"), Error);
}

TEST_F(Trainer, RefusesOptionsOutOfRange) {
  options_.batch_size = 0;
  EXPECT_THROW(train_energy_head(data_, options_, folder_ / "run"), UsageError);
}

}  // namespace
}  // namespace molgauge::ood
