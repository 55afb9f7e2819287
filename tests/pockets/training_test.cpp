// Tests splits and batches, the training of an encoder on synthetic pockets, and resumed training.

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/memory/plan/device_workspace.h"
#include "base/numerics/torch/device.h"
#include "base/numerics/torch/message_kernels.h"
#include "made_up_set.h"
#include "pockets/tensor_encoder.h"
#include "pockets/training/batches.h"
#include "pockets/training/plan.h"
#include "pockets/training/splits.h"
#include "pockets/training/trainer.h"
#include "support/fixtures.h"

namespace molgauge::pocket {
namespace {

using testing::HasSubstr;

std::vector<std::string> names(int complexes, int models) {
  std::vector<std::string> all;
  for (int c = 0; c < complexes; ++c) {
    for (int m = 0; m < models; ++m) {
      all.push_back("p" + std::to_string(c) + "_l" + std::to_string(c % 3) + "_model" + std::to_string(m));
    }
  }
  return all;
}

TEST(PocketSplit, ModelsOfAComplexStayTogether) {
  for (const SplitUnit unit : {SplitUnit::complex, SplitUnit::ligand, SplitUnit::pdb}) {
    const PocketSplit split = draw_split(names(20, 4), unit, 0.8, 0.1, 42);
    EXPECT_EQ(split.train.size() + split.validation.size() + split.test.size(), 80U);
    EXPECT_GE(split.train.size(), 8U);
    EXPECT_FALSE(split.validation.empty());
    EXPECT_EQ(shared_complex(split), "");
    std::set<std::string> trained;
    for (const std::string& name : split.train) {
      trained.insert(unit_of(name, unit));
    }
    for (const std::string& name : split.validation) {
      EXPECT_FALSE(trained.contains(unit_of(name, unit))) << name;
    }
  }
  EXPECT_NE(shared_complex(draw_split(names(20, 4), SplitUnit::model, 0.8, 0.1, 42)), "");
  EXPECT_THROW(draw_split(names(1, 4), SplitUnit::complex, 0.8, 0.1, 42), InputError);
}

TEST(PocketSplit, FilesAreReadBackAndChecked) {
  const test::TemporaryFolder folder;
  const PocketSplit split = draw_split(names(9, 2), SplitUnit::complex, 0.6, 0.2, 1);
  write_split(folder / "splits.json", split);
  const PocketSplit again = read_split(folder / "splits.json");
  EXPECT_EQ(again.train, split.train);
  EXPECT_EQ(again.test, split.test);
  replace_file(folder / "bad.json", R"({"train": ["a"], "val": ["a"]})");
  EXPECT_THROW(read_split(folder / "bad.json"), InputError);
  replace_file(folder / "bad.json", R"({"train": [1], "val": []})");
  EXPECT_THROW(read_split(folder / "bad.json"), InputError);
}

TEST(PocketBatches, CostNearlyTheSame) {
  std::vector<double> costs;
  for (int i = 0; i < 41; ++i) {
    costs.push_back(1 + i * i);
  }
  const auto batches = batches_by_cost(costs, 4, 5);
  ASSERT_EQ(batches.size(), 11U);
  std::set<std::size_t> seen;
  double most = 0;
  for (const auto& batch : batches) {
    double cost = 0;
    for (const std::size_t place : batch) {
      EXPECT_TRUE(seen.insert(place).second);
      cost += costs[place];
    }
    EXPECT_GE(batch.size(), 3U);
    most = std::max(most, cost);
  }
  EXPECT_EQ(seen.size(), costs.size());
  // With the four most expensive pockets, a batch would cost more than 5,900.
  EXPECT_LT(most, 3600);
  EXPECT_NE(batches, batches_by_cost(costs, 4, 6));
}

TEST(PocketBatches, SharesOfProcessesCostNearlyTheSame) {
  const std::vector<double> costs = {8, 4, 2, 1};
  EXPECT_THAT(shares_by_cost(costs, 1), testing::ElementsAre(0, 4));
  EXPECT_THAT(shares_by_cost(costs, 2), testing::ElementsAre(0, 1, 4));
  EXPECT_THAT(shares_by_cost({1, 1, 1, 1, 1, 1}, 3), testing::ElementsAre(0, 2, 4, 6));
  EXPECT_THAT(shares_by_cost({5}, 2), testing::ElementsAre(0, 0, 1));
  EXPECT_THAT(shares_by_cost({}, 2), testing::ElementsAre(0, 0, 0));
}

/// Trains a small encoder in separate folders.
class PocketTraining : public testing::Test {
 protected:
  void SetUp() override {
    targets_ = test::make_up_set(folder_ / "graphs", 10, 2, 10, 24, 8);
    graphs_.emplace(GraphSet::open(folder_ / "graphs"));
    data_ = {&*graphs_, graphs_->normalization(), &targets_, {}, {}};
    for (std::size_t i = 0; i < graphs_->graphs().size(); ++i) {
      const std::size_t target = *targets_.find(graphs_->graphs()[i].complex);
      (i < 14 ? data_.train : data_.validation).push_back({i, target});
    }
    options_.shape.hidden = ops::Irreps::parse("8x0e + 4x1o + 2x2e");
    options_.shape.output = 8;
    options_.shape.layers = 2;
    options_.shape.radial_hidden = 16;
    options_.shape.layer_norm = true;
    options_.batch_size = 4;
    options_.accumulation_steps = 2;
    options_.epochs = 4;
    options_.learning_rate = 3e-3;
    options_.quiet = true;
  }

  TrainingResult train(const std::string& run, const TrainingOptions& options) {
    make_folder(folder_ / run);
    return train_encoder(data_, options, "options", folder_ / run, nullptr);
  }
  std::string content(const std::string& file) const { return read_file(folder_ / file); }

  test::TemporaryFolder folder_;
  io::KeyedRows targets_;
  std::optional<GraphSet> graphs_;
  TrainingData data_;
  TrainingOptions options_;
};

TEST_F(PocketTraining, ResumesToTheSameBytes) {
  const TrainingResult whole = train("whole", options_);
  EXPECT_EQ(whole.history.size(), 4U);
  EXPECT_LT(whole.history.back().train_loss, whole.history.front().train_loss);
  TrainingOptions first = options_;
  first.epochs = 2;
  train("parts", first);
  const TrainingResult rest = train("parts", options_);
  EXPECT_TRUE(rest.resumed);
  for (const char* file :
       {"best_model.safetensors", "training_history.json", "checkpoints/last.safetensors"}) {
    EXPECT_EQ(content(std::string("whole/") + file), content(std::string("parts/") + file)) << file;
  }
}

TEST_F(PocketTraining, ThreadsAndSavingsChangeNoByte) {
  train("plain", options_);
  TrainingOptions frugal = options_;
  frugal.strategy.checkpointing = true;
  frugal.strategy.parts_at_once = 1;
  frugal.loader_threads = 0;
  train("frugal", frugal);
  for (const char* file : {"best_model.safetensors", "training_history.json"}) {
    EXPECT_EQ(content(std::string("plain/") + file), content(std::string("frugal/") + file)) << file;
  }
}

TEST_F(PocketTraining, AutocastStaysCloseAndTrains) {
  const TrainingResult plain = train("plain", options_);
  options_.memory_saving.autocast = Autocast::bf16;
  const TrainingResult rounded = train("rounded", options_);
  EXPECT_NE(content("plain/best_model.safetensors"), content("rounded/best_model.safetensors"));
  EXPECT_LT(rounded.history.back().train_loss, rounded.history.front().train_loss);
  EXPECT_NEAR(rounded.history.front().train_loss, plain.history.front().train_loss, 0.01);
  // Parts that are recomputed in the backward pass are rounded as in the forward pass.
  TrainingOptions frugal = options_;
  frugal.strategy.checkpointing = true;
  frugal.strategy.parts_at_once = 1;
  train("frugal", frugal);
  EXPECT_EQ(content("rounded/best_model.safetensors"), content("frugal/best_model.safetensors"));
  options_.shape.third = V3Layers{.improved_layers = true, .enhanced_invariants = true};
  options_.shape.pooling = Pooling::heads;
  const TrainingResult third = train("third", options_);
  EXPECT_LT(third.history.back().train_loss, third.history.front().train_loss);
}

TEST_F(PocketTraining, AGpuTrainsAsTheCpuAndTheSameTwice) {
  if (torch::gpu_count() == 0 || !torch::has_message_kernels()) {
    GTEST_SKIP() << "no GPU, or a build without its kernels";
  }
  const TrainingResult here = train("here", options_);
  options_.device = {.gpu = 0};
  const TrainingResult there = train("there", options_);
  for (std::size_t epoch = 0; epoch < here.history.size(); ++epoch) {
    EXPECT_NEAR(there.history[epoch].train_loss, here.history[epoch].train_loss, 1e-3);
    EXPECT_NEAR(there.history[epoch].validation_loss, here.history[epoch].validation_loss, 1e-3);
  }
  train("again", options_);
  EXPECT_EQ(content("there/best_model.safetensors"), content("again/best_model.safetensors"));
  options_.memory_saving.autocast = Autocast::fp16;
  const TrainingResult half = train("half", options_);
  EXPECT_LT(half.history.back().train_loss, half.history.front().train_loss);
}

TEST_F(PocketTraining, PlansForAGpuCountItsTilesAndLeaveTheMomentsToTheHost) {
  const TrainingPlan host = plan_training(data_, options_, 1, std::uint64_t{1} << 30);
  options_.device = {.gpu = 0};
  const TrainingPlan gpu = plan_training(data_, options_, 8, std::uint64_t{1} << 30);
  ASSERT_TRUE(gpu.report.chosen);
  const std::uint64_t workspace = memory::device_workspace_bytes(memory::DevicePasses::forward_and_backward);
  EXPECT_GT(gpu.report.resident_bytes, workspace);
  EXPECT_LT(gpu.report.resident_bytes - workspace, host.report.resident_bytes);
  EXPECT_GE(gpu.host_overhead_bytes, host.report.resident_bytes);
  EXPECT_GT(gpu.report.alternatives.front().projected_bytes, device_bytes_of_messages(10, 18));
  // All pockets of a step are one shard, so the step cannot be divided. Its memory grows with the batch.
  EXPECT_EQ(gpu.report.alternatives.size(), 1U);
  EXPECT_THAT(gpu.report.notes.front(), HasSubstr("and 7 others"));
  options_.batch_size = options_.accumulation_steps = 1;
  const TrainingPlan single = plan_training(data_, options_, 8, std::uint64_t{1} << 30);
  EXPECT_LT(single.report.alternatives.front().projected_bytes,
            gpu.report.alternatives.front().projected_bytes);
}

TEST_F(PocketTraining, EveryLossAndVersionTrains) {
  options_.epochs = 3;
  for (const PocketLoss kind : {PocketLoss::mse, PocketLoss::cosine_mse, PocketLoss::infonce}) {
    options_.loss.kind = kind;
    options_.grad_clip = 0;
    options_.decoupled_decay = kind != PocketLoss::mse;
    options_.schedule = RateSchedule::cosine;
    const std::string run = "loss" + std::to_string(static_cast<int>(kind));
    const TrainingResult result = train(run, options_);
    EXPECT_LT(result.history.back().train_loss, result.history.front().train_loss) << run;
    EXPECT_LT(result.history.back().learning_rate, result.history.front().learning_rate);
  }
  options_.shape.third = V3Layers{.improved_layers = true, .enhanced_invariants = true};
  options_.shape.pooling = Pooling::heads;
  options_.physics_weight = 0.3;
  const TrainingResult third = train("third", options_);
  EXPECT_GT(third.history.front().physics_loss, 0);
  EXPECT_LT(third.history.back().train_loss, third.history.front().train_loss);
}

TEST_F(PocketTraining, OtherOptionsAreRefused) {
  train("run", options_);
  options_.epochs = 6;
  EXPECT_THROW(train_encoder(data_, options_, "others", folder_ / "run", nullptr), InputError);
  data_.train.pop_back();
  EXPECT_THROW(train_encoder(data_, options_, "options", folder_ / "run", nullptr), InputError);
}

TEST_F(PocketTraining, PlansFitWhatTheyAreGiven) {
  const TrainingPlan plenty = plan_training(data_, options_, 2, std::uint64_t{1} << 30);
  ASSERT_TRUE(plenty.report.chosen);
  EXPECT_FALSE(plenty.strategy.checkpointing);
  const std::uint64_t smallest = plenty.report.smallest_budget_bytes;
  const TrainingPlan tight = plan_training(data_, options_, 2, smallest);
  ASSERT_TRUE(tight.report.chosen);
  EXPECT_TRUE(tight.strategy.checkpointing);
  EXPECT_FALSE(plan_training(data_, options_, 2, smallest / 2).report.chosen);
}

}  // namespace
}  // namespace molgauge::pocket
