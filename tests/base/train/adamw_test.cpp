#include "base/train/adamw.h"

#include <cmath>
#include <string>
#include <vector>

#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/numerics/torch/cpu_tensor_memory.h"
#include "base/numerics/torch/optimizer_by_steps.h"
#include "made_up_parameters.h"

namespace molgauge::train {
namespace {

using test::copy_of;
using test::made_up_parameters;
using test::numbers_of;
using test::set_gradients;

TEST(AdamW, FollowsTheFormulaByHand) {
  const Parameters parameters = made_up_parameters({.learning_rate = 0.01, .weight_decay = 0.1});
  double p = numbers_of(parameters).back(), m = 0, v = 0;
  AdamW optimizer(parameters, {});
  for (int t = 1; t <= 3; ++t) {
    const double g = 0.5 * t;
    set_gradients(parameters, g);
    optimizer.step({});
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    p -= 0.01 * 0.1 * p;
    p -= 0.01 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
  }
  EXPECT_NEAR(numbers_of(parameters).back(), p, 1e-6);
}

TEST(AdamW, GoesOnFromASavedState) {
  for (const at::ScalarType state : {at::kFloat, at::kBFloat16}) {
    const Parameters parameters = made_up_parameters({});
    AdamW first(parameters, {.state = state});
    set_gradients(parameters, 0.25);
    first.step({});
    const Parameters copy = copy_of(parameters);
    AdamW second(copy, {.state = state});
    io::TensorMap saved;
    first.save(saved);
    second.restore(saved, first.steps(), "a file");
    set_gradients(parameters, -0.5);
    first.step({});
    set_gradients(copy, -0.5);
    second.step({});
    EXPECT_EQ(numbers_of(parameters), numbers_of(copy));
    saved.erase("optimizer.exp_avg.bias");
    EXPECT_THROW(second.restore(saved, 1, "a file"), InputError);
  }
}

TEST(AdamW, ChangesNothingWhenThereIsNoMemory) {
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  for (const at::ScalarType state : {at::kFloat, at::kBFloat16}) {
    const Parameters parameters = made_up_parameters({});
    AdamW optimizer(parameters, {.state = state});
    set_gradients(parameters, 0.25);
    optimizer.step({});
    const auto bytes_of_all = [&] {
      io::TensorMap all;
      parameters.save(all, "");
      optimizer.save(all);
      std::vector<std::byte> bytes;
      for (const auto& [name, tensor] : all) {
        bytes.insert(bytes.end(), tensor.bytes.begin(), tensor.bytes.end());
      }
      return bytes;
    };
    const auto before = bytes_of_all();
    const std::uint64_t counted = meter.allocations();
    std::uint64_t refusals = 0;
    for (std::uint64_t k = 1; refusals + 1 == k; ++k) {
      meter.refuse_from_now(k);
      try {
        optimizer.step({});
      } catch (const c10::OutOfMemoryError&) {
        ++refusals;
        EXPECT_EQ(optimizer.steps(), 1);
        EXPECT_TRUE(bytes_of_all() == before) << "allocation " << k;
      }
    }
    meter.refuse_from_now(memory::AllocationMeter::kNever);
    EXPECT_GT(meter.allocations(), counted);
    EXPECT_GT(refusals, 0U);
    EXPECT_EQ(optimizer.steps(), 2);
    EXPECT_FALSE(bytes_of_all() == before);
  }
}

TEST(AdamW, InBfloat16FollowsTheExactOneOverManySteps) {
  const GroupOptions options{.learning_rate = 1e-4, .weight_decay = 1e-5};
  const Parameters exact = made_up_parameters(options), rough = made_up_parameters(options);
  AdamW first(exact, {}), second(rough, {.state = at::kBFloat16});
  const std::vector<float> start = numbers_of(exact);
  for (int step = 0; step < 3000; ++step) {
    const double gradient = step < 200 ? 1.0 : 0.01;  // the mean of the squares must become smaller again
    set_gradients(exact, gradient);
    set_gradients(rough, gradient);
    first.step({});
    second.step({});
  }
  const std::vector<float> at_the_end = numbers_of(exact), roughly = numbers_of(rough);
  double moved = 0, apart = 0;
  for (std::size_t i = 0; i < start.size(); ++i) {
    moved += std::abs(at_the_end[i] - start[i]);
    apart += roughly[i] - at_the_end[i];
  }
  EXPECT_LT(std::abs(apart), 0.01 * moved);
}

/// One kernel updates all parameters, as on a GPU. The steps of the kernel run on the host here.
TEST(AdamW, ByStepsIsTheSame) {
  std::vector<Parameter> all;
  for (int i = 0; i < 50; ++i) {  // more parameters than fit in one kernel
    all.push_back({"p" + std::to_string(i), at::randn({1 + i % 7, 3}).requires_grad_(true)});
  }
  std::vector<torch::AdamWParameter> by_steps;
  for (const Parameter& parameter : all) {
    by_steps.push_back({.value = parameter.value.detach().clone(),
                        .gradient = {},
                        .mean = at::zeros_like(parameter.value),
                        .square_mean = at::zeros_like(parameter.value)});
  }
  const Parameters parameters(
      {{.name = "all", .parameters = all, .options = {.learning_rate = 0.01, .weight_decay = 0.1}}});
  AdamW optimizer(parameters, {});
  for (int t = 1; t <= 3; ++t) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const at::Tensor gradient = at::randn(all[i].value.sizes());
      all[i].value.mutable_grad() = gradient;
      by_steps[i].gradient =
          t == 2 ? gradient.t().contiguous().t() : gradient;  // gradients may have any layout
      by_steps[i].decay = 1 - 0.01 * 0.1;
      by_steps[i].rate = 0.01 / (1 - std::pow(0.9, t));
    }
    optimizer.step({});
    torch::adamw_by_steps(by_steps, {.square_correction = std::sqrt(1 - std::pow(0.999, t))});
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_TRUE(at::allclose(by_steps[i].value, all[i].value, 1e-5, 1e-6)) << i;
  }
}

}  // namespace
}  // namespace molgauge::train
