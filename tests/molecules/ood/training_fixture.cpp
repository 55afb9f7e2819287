#include "training_fixture.h"

#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"

namespace molgauge::test {

ood::TrainingData training_data(std::int64_t count, std::int64_t width) {
  at::Generator generator = at::detail::createCPUGenerator(7);
  const auto cloud = [&](std::int64_t rows, double mean) {
    return at::empty({rows, width}, at::kFloat).normal_(mean, 1.0, generator);
  };
  ood::TrainingData data;
  data.train_id = cloud(count, 0.0);
  data.train_ood = cloud(count + 7, 0.3);
  data.val_id = cloud(count / 2, 0.0);
  data.val_ood = cloud(count / 2 + 5, 0.3);
  return data;
}

ood::TrainingOptions small_options() {
  ood::TrainingOptions options;
  options.hidden_dim = 32;
  options.epochs = 7;
  options.batch_size = 17;
  options.eval_batch_size = 11;
  options.eval_steps = 3;
  options.learning_rate = 3e-3;
  options.quiet = true;
  return options;
}

ood::TrainingOptions long_options() {
  ood::TrainingOptions options = small_options();
  options.epochs = 40;
  options.patience = options.epochs;
  return options;
}

void expect_same_training(const std::filesystem::path& expected, const std::filesystem::path& actual) {
  for (const char* name : {"best_model.safetensors", "checkpoints/last.safetensors", "training_curve.csv",
                           "training_dynamics.csv"}) {
    ASSERT_EQ(std::filesystem::exists(expected / name), std::filesystem::exists(actual / name)) << name;
    if (!std::filesystem::exists(expected / name)) {
      continue;  // only DPO has dynamics
    }
    EXPECT_TRUE(read_file(expected / name) == read_file(actual / name)) << name << " differs";
  }
}

}  // namespace molgauge::test
