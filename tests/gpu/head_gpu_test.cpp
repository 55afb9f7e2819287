// Trains and applies a head on a GPU, and compares the results with the CPU.

#include <cmath>
#include <limits>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/core/session/log.h"
#include "base/numerics/torch/allocator_access.h"
#include "base/numerics/torch/device_memory.h"
#include "gpu.h"
#include "molecules/ood/head/tensor_scoring.h"
#include "molecules/ood/run/trainer.h"
#include "support/fixtures.h"
#include "training_fixture.h"

namespace molgauge::ood {
namespace {

using test::kGpu;

TrainingData on(c10::Device device, const TrainingData& data) {
  return {data.train_id.to(device), data.train_ood.to(device), data.val_id.to(device),
          data.val_ood.to(device)};
}

class HeadOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    REQUIRE_GPU();
    set_log_level(LogLevel::off);
    options_ = test::small_options();
    options_.resume = false;
    options_.dropout = 0;  // the devices draw different random numbers
  }
  TrainingResult train(const TrainingData& data, const char* run) {
    return train_energy_head(data, options_, folder_ / run);
  }

  test::TemporaryFolder folder_;
  TrainingOptions options_;
};

TEST_F(HeadOnGpu, TrainsAsOnTheCpu) {
  const TrainingData data = test::training_data(300, 64);
  for (const Loss kind : {Loss::dpo, Loss::bce, Loss::mse, Loss::hinge}) {
    SCOPED_TRACE(to_string(kind));
    options_.loss.kind = kind;
    const TrainingResult expected = train(data, "cpu"), actual = train(on(kGpu, data), "gpu");
    ASSERT_EQ(actual.curve.size(), expected.curve.size());
    for (std::size_t epoch = 0; epoch < expected.curve.size(); ++epoch) {
      EXPECT_NEAR(actual.curve[epoch].train_loss, expected.curve[epoch].train_loss, 1e-4);
      EXPECT_NEAR(actual.curve[epoch].validation_loss, expected.curve[epoch].validation_loss, 1e-4);
    }
    EXPECT_NEAR(actual.best_auroc, expected.best_auroc, 1e-3);
  }
}

TEST_F(HeadOnGpu, GivesTheSameBytesAgain) {
  options_.dropout = 0.1;
  const TrainingData data = on(kGpu, test::training_data(300, 64));
  train(data, "first");
  train(data, "second");
  test::expect_same_training(folder_ / "first", folder_ / "second");
}

TEST_F(HeadOnGpu, ContinuesFromACheckpointToTheSameResult) {
  options_.dropout = 0.1;
  const TrainingData data = on(kGpu, test::training_data(300, 64));
  train(data, "whole");
  const std::size_t epochs = options_.epochs;
  options_.epochs = 3;
  train(data, "parts");
  options_.epochs = epochs;
  options_.resume = true;
  EXPECT_TRUE(train(data, "parts").resumed);
  test::expect_same_training(folder_ / "whole", folder_ / "parts");
}

TEST_F(HeadOnGpu, LowerPrecisionsTrainAsWell) {
  const TrainingData data = on(kGpu, test::training_data(300, 64));
  const double exact = train(data, "fp32").best_auroc;
  for (const Autocast autocast : {Autocast::bf16, Autocast::fp16}) {
    options_.memory_saving.autocast = autocast;
    EXPECT_NEAR(train(data, "lower").best_auroc, exact, 0.02) << to_string(autocast);
  }
  options_.memory_saving.autocast = Autocast::off;
  options_.memory_saving.optimizer_state = MomentType::bf16;
  EXPECT_NEAR(train(data, "lower").best_auroc, exact, 0.02);
}

TEST_F(HeadOnGpu, ScoresAsOnTheCpu) {
  const EnergyHead head(64, 32, 7);
  EnergyHead moved(64, 32, 7);
  moved.to(kGpu);
  const at::Tensor features = at::randn({3000, 64});
  features[5][3] = std::numeric_limits<float>::quiet_NaN();
  const auto expected = score_features(head, features, 700).energies;
  const auto actual = score_features(moved, features.to(kGpu), 700).energies;
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(std::isnan(actual[i]), std::isnan(expected[i])) << i;
    if (!std::isnan(expected[i])) {
      ASSERT_NEAR(actual[i], expected[i], 1e-5) << i;
    }
  }
}

TEST_F(HeadOnGpu, RunningOutOfMemoryChangesNoNumber) {
  const TrainingData data = on(kGpu, test::training_data(40'000, 64));
  options_.hidden_dim = 512;
  options_.batch_size = 40'000;  // four shards of rows
  options_.eval_batch_size = 2000;
  options_.epochs = 3;
  const memory::AllocatorAccess access = torch::allocator_access(kGpu);
  access.release_cached();
  const auto probe = torch::device_probe(kGpu);
  const std::uint64_t data_bytes = probe->read().reserved;
  probe->reset_peak();
  const TrainingResult expected = train(data, "undisturbed");
  const std::uint64_t taken = probe->read().peak_reserved - data_bytes;
  access.release_cached();

  torch::limit_device_memory(kGpu, data_bytes + taken * 3 / 4);
  const TrainingResult actual = train(data, "disturbed");
  torch::limit_device_memory(kGpu, torch::device_space(kGpu).total);
  EXPECT_GE(actual.oom_recoveries, 1U);
  ASSERT_EQ(actual.curve.size(), expected.curve.size());
  for (std::size_t epoch = 0; epoch < expected.curve.size(); ++epoch) {
    EXPECT_NEAR(actual.curve[epoch].train_loss, expected.curve[epoch].train_loss, 1e-6);
    EXPECT_NEAR(actual.curve[epoch].auroc, expected.curve[epoch].auroc, 1e-6);
  }
}

}  // namespace
}  // namespace molgauge::ood
