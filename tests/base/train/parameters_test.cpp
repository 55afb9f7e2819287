#include "base/train/parameters.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/numerics/torch/kernel_choice.h"
#include "base/train/adam.h"
#include "base/train/adamw.h"
#include "made_up_parameters.h"

namespace molgauge::train {
namespace {

using test::made_up_parameters;
using test::numbers_of;
using test::set_gradients;

ParameterGroup group(const std::string& name, const GroupOptions& options) {
  return {name, {{name + ".weight", at::ones({4}).requires_grad_(true)}}, options};
}

TEST(GradientClip, ScalesOnlyWhatIsTooLong) {
  const Parameters parameters = made_up_parameters({});  // 9 numbers
  set_gradients(parameters, 2);
  EXPECT_NEAR(clip_gradients(parameters, {.norm = 100}), 6, 1e-12);
  EXPECT_NEAR(clip_gradients(parameters, {.norm = 1}), 6, 1e-12);
  EXPECT_NEAR(clip_gradients(parameters, {}), 1, 1e-5);
}

TEST(GradientClip, LimitsEveryNumberBeforeTheNorm) {
  const Parameters parameters = made_up_parameters({});
  set_gradients(parameters, -2);
  EXPECT_NEAR(clip_gradients(parameters, {.value = 0.5}), 1.5, 1e-6);
  EXPECT_EQ(parameters.all()[1].value.grad()[2].item<float>(), -0.5F);
}

/// More parameters than a kernel takes, and one that is larger than a tile.
TEST(GradientClip, KernelsOfGpusGiveTheNorm) {
  ParameterGroup all{"all", {}, {}};
  for (std::int64_t i = 0; i < 170; ++i) {
    const at::Tensor value = at::randn({i == 3 ? 40000 : 1 + i % 7}).requires_grad_(true);
    value.mutable_grad() = at::randn(value.sizes());
    all.parameters.push_back({"parameter" + std::to_string(i), value});
  }
  const Parameters parameters({all});
  const double norm = clip_gradients(parameters, {});
  const torch::KernelsOnCpu code_of_gpus;
  EXPECT_NEAR(clip_gradients(parameters, {}), norm, 1e-9 * norm);
}

TEST(Schedule, FallsByATenthEveryTenEpochs) {
  const GroupOptions options{.learning_rate = 1e-4, .schedule = falling_rate()};
  EXPECT_DOUBLE_EQ(options.rate({.epoch = 0}), 1e-4);
  EXPECT_DOUBLE_EQ(options.rate({.epoch = 9}), 1e-4);
  EXPECT_DOUBLE_EQ(options.rate({.epoch = 10}), 9e-5);
  EXPECT_DOUBLE_EQ(options.rate({.epoch = 29}), 8.1e-5);
}

/// The rate rises linearly from 0 during the first `warm_up` steps. It then falls linearly to 0 at step
/// `total`.
Schedule warm_up_then_linear(std::size_t warm_up, std::size_t total) {
  return [=](const Clock& clock) {
    const auto step = static_cast<double>(clock.steps + 1), rise = static_cast<double>(warm_up);
    if (step <= rise) {
      return step / rise;
    }
    return std::max(0.0, (static_cast<double>(total) + 1 - step) / (static_cast<double>(total) + 1 - rise));
  };
}

/// A schedule may use steps instead of epochs.
TEST(Schedule, OfAnotherKindFollowsTheClock) {
  const GroupOptions options{.learning_rate = 2, .schedule = warm_up_then_linear(4, 12)};
  EXPECT_DOUBLE_EQ(options.rate({.steps = 0}), 0.5);
  EXPECT_DOUBLE_EQ(options.rate({.steps = 3}), 2);
  EXPECT_GT(options.rate({.steps = 4}), options.rate({.steps = 5}));
  EXPECT_GT(options.rate({.steps = 11}), 0);
  EXPECT_DOUBLE_EQ(options.rate({.steps = 12}), 0);
}

TEST(ParameterGroups, HaveRatesDecaysAndSchedulesOfTheirOwn) {
  const GroupOptions slow{.learning_rate = 0.01}, fast{.learning_rate = 0.1, .weight_decay = 0.5},
      falling{.learning_rate = 0.1, .schedule = falling_rate(1, 0.5)};
  const auto after_a_step = [&](auto make) {
    const Parameters parameters({group("slow", slow), group("fast", fast), group("falling", falling)});
    auto optimizer = make(parameters);
    set_gradients(parameters, 1);
    optimizer.step({.epoch = 1});
    std::vector<float> numbers = numbers_of(parameters);
    return std::vector<float>{numbers[0], numbers[4], numbers[8]};
  };
  // The first step of Adam and of AdamW changes each number by the learning rate.
  const auto decoupled = after_a_step([](const Parameters& parameters) { return AdamW(parameters, {}); });
  EXPECT_NEAR(decoupled[0], 1 - 0.01, 1e-6);
  EXPECT_NEAR(decoupled[1], 1 - 0.1 * 0.5 - 0.1, 1e-6);
  EXPECT_NEAR(decoupled[2], 1 - 0.05, 1e-6);
  const auto added = after_a_step([](const Parameters& parameters) { return Adam(parameters, {}); });
  EXPECT_NEAR(added[0], 1 - 0.01, 1e-6);
  EXPECT_NEAR(added[1], 1 - 0.1, 1e-6);
  EXPECT_NEAR(added[2], 1 - 0.05, 1e-6);
}

TEST(ParameterGroups, FrozenOnesAreKeptAndNotTrained) {
  const Parameters parameters({group("body", {.frozen = true}), group("head", {.learning_rate = 0.1})});
  EXPECT_FALSE(parameters.all()[0].value.requires_grad());
  EXPECT_EQ(parameters.bytes(), 2 * parameters.trained_bytes());
  AdamW optimizer(parameters, {});
  EXPECT_EQ(optimizer.state_bytes(), 2 * parameters.trained_bytes());
  set_gradients(parameters, 3);
  EXPECT_NEAR(clip_gradients(parameters, {}), 6, 1e-12);
  optimizer.step({});
  EXPECT_EQ(numbers_of(parameters)[0], 1.0F);
  EXPECT_LT(numbers_of(parameters)[4], 1.0F);
  io::TensorMap saved;
  parameters.save(saved, "model.");
  EXPECT_TRUE(saved.contains("model.body.weight"));
  EXPECT_TRUE(saved.contains("model.head.weight"));
}

TEST(ParameterGroups, AreRestoredByName) {
  const Parameters parameters = made_up_parameters({}), others = made_up_parameters({});
  others.all()[0].value.detach().zero_();
  io::TensorMap saved;
  parameters.save(saved, "m.");
  others.restore(saved, "m.", "a file");
  EXPECT_EQ(numbers_of(others), numbers_of(parameters));
  saved.erase("m.bias");
  EXPECT_THROW(others.restore(saved, "m.", "a file"), InputError);
}

TEST(ParameterGroups, NamesAreDistinct) {
  EXPECT_THROW(Parameters({group("one", {}), group("one", {})}), Error);
}

}  // namespace
}  // namespace molgauge::train
