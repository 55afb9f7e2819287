#include "molecules/ood/head/head_pass.h"

#include <optional>
#include <utility>

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "base/numerics/torch/kernel_choice.h"
#include "base/numerics/torch/operator_threads.h"
#include "base/train/adamw.h"
#include "molecules/ood/head/tensor_scoring.h"
#include "support/operator_calls.h"

namespace molgauge::ood {
namespace {

train::PassPlan on_threads(std::size_t threads) {
  train::PassPlan plan;
  plan.threads = threads;
  return plan;
}

TEST(HeadPass, EqualsAnOrdinaryForwardAndBackward) {
  const EnergyHead head(32, 16, 1), plain(32, 16, 1);
  const at::Tensor x = at::randn({1700, 32}), gradient = at::randn({1700});
  HeadPass pass(head, x, {}, on_threads(2));
  pass.backward(gradient);
  const at::Tensor energies = plain.forward(x);
  energies.backward(gradient);
  EXPECT_TRUE(at::allclose(pass.energies(), energies, 1e-5, 1e-6));
  EXPECT_TRUE(at::allclose(TensorScoring(head).energies(x, on_threads(2)), energies, 1e-5, 1e-6));
  for (std::size_t i = 0; i < head.parameters().size(); ++i) {
    EXPECT_TRUE(
        at::allclose(head.parameters()[i].value.grad(), plain.parameters()[i].value.grad(), 1e-4, 1e-4));
  }
}

TEST(HeadPass, HasTheSameBytesForAnyNumberOfThreads) {
  const at::Tensor x = at::randn({2400, 512}), gradient = at::randn({2400});
  const EnergyHead head(512, 256, 1);
  std::vector<at::Tensor> energies, gradients;
  for (const std::size_t threads : {1, 2, 3}) {
    HeadPass pass(head, x, {}, on_threads(threads));
    pass.backward(gradient);
    energies.push_back(pass.energies());
    gradients.push_back(head.parameters()[0].value.grad().clone());
  }
  for (const std::size_t i : {1, 2}) {
    EXPECT_TRUE(at::equal(energies[0], energies[i]));
    EXPECT_TRUE(at::equal(gradients[0], gradients[i]));
  }
}

TEST(HeadPass, HasTheSameBytesWhateverIsKeptAndHowManyShardsAreAtOnce) {
  const at::Tensor x = at::randn({2700, 24}), gradient = at::randn({2700});
  const EnergyHead head(24, 16, 1);
  at::Generator generator = at::globalContext().defaultGenerator(at::kCPU).clone();
  const DropoutMasks masks = head.draw_masks(2700, 0.2, generator);
  HeadPass plain(head, x, masks, on_threads(2));
  plain.backward(gradient);
  std::vector<at::Tensor> expected;
  for (const auto& parameter : head.parameters()) {
    expected.push_back(parameter.value.grad().clone());
  }
  for (const std::int64_t at_once : {0, 1, 2, 3, 100}) {
    train::PassPlan plan = on_threads(2);
    plan.keep_activations = false;
    plan.shards_at_once = at_once;
    HeadPass pass(head, x, masks, plan);
    EXPECT_TRUE(at::equal(pass.energies(), plain.energies())) << at_once;
    pass.backward(gradient);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_TRUE(at::equal(head.parameters()[i].value.grad(), expected[i])) << at_once;
    }
    EXPECT_TRUE(
        at::equal(TensorScoring(head).energies(x, plan), TensorScoring(head).energies(x, on_threads(1))));
  }
}

/// The code of GPUs computes the same numbers as the ATen operators.
TEST(HeadPass, KernelsOfGpusEqualTheOperators) {
  const EnergyHead head(32, 16, 1), plain(32, 16, 1);
  const at::Tensor x = at::randn({1100, 32}), gradient = at::randn({1100});
  at::Generator generator = at::globalContext().defaultGenerator(at::kCPU).clone();
  std::optional<torch::KernelsOnCpu> code_of_gpus(std::in_place);
  const DropoutMasks masks = head.draw_masks(1100, 0.2, generator);
  EXPECT_NEAR(masks.first.mean().item<double>(), 1, 0.02);
  for (const DropoutMasks& own : {DropoutMasks{}, masks}) {
    code_of_gpus.emplace();
    HeadPass pass(head, x, own, on_threads(2));
    pass.backward(gradient);
    const at::Tensor of_input = x.detach().clone().requires_grad_(true);
    head.forward(of_input, own).backward(gradient);
    code_of_gpus.reset();
    HeadPass expected(plain, x, own, on_threads(2));
    expected.backward(gradient);
    const at::Tensor plain_input = x.detach().clone().requires_grad_(true);
    plain.copy().forward(plain_input, own).backward(gradient);
    EXPECT_TRUE(at::allclose(pass.energies(), expected.energies(), 1e-5, 1e-6));
    EXPECT_TRUE(at::allclose(of_input.grad(), plain_input.grad(), 1e-5, 1e-6));
    for (std::size_t i = 0; i < head.parameters().size(); ++i) {
      head.parameters()[i].value.mutable_grad() = at::Tensor();
    }
    code_of_gpus.emplace();
    HeadPass again(head, x, own, on_threads(2));
    again.backward(gradient);
    for (std::size_t i = 0; i < head.parameters().size(); ++i) {
      EXPECT_TRUE(
          at::allclose(head.parameters()[i].value.grad(), plain.parameters()[i].value.grad(), 1e-4, 1e-4))
          << i;
    }
  }
}

/// A step on 512 + 512 molecules in one shard, as on a GPU. Two copies are not counted: the energies go to
/// the host, which computes the loss, and the gradient comes back.
TEST(HeadPass, AStepLaunchesFewOperators) {
  const EnergyHead head(512, 256, 1);
  const train::Parameters parameters({{"energy_head", head.parameters(), {}}});
  const at::Tensor x = at::randn({1024, 512}), gradient = at::randn({1024});
  at::Generator generator = at::globalContext().defaultGenerator(at::kCPU).clone();
  train::PassPlan plan = on_threads(1);
  plan.least_rows = 1024;
  const torch::KernelsOnCpu code_of_gpus;
  train::AdamW optimizer(parameters, {});
  const test::OperatorCalls calls;
  HeadPass pass(head, x, head.draw_masks(1024, 0.2, generator), plan);
  pass.backward(gradient);
  train::clip_gradients(parameters, {.norm = 1});
  optimizer.step({});
  RecordProperty("launches", static_cast<int>(calls.launches()));
  EXPECT_LE(calls.launches(), 20U);
}

TEST(HeadPass, InBfloat16IsCloseAndGivesFloatGradients) {
  const at::Tensor x = at::randn({1100, 24}), gradient = at::ones({1100});
  const EnergyHead head(24, 16, 1);
  HeadPass exact(head, x, {}, on_threads(1));
  exact.backward(gradient);
  const at::Tensor expected = head.parameters()[0].value.grad().clone();
  train::PassPlan plan = on_threads(1);
  plan.precision = at::kBFloat16;
  HeadPass rough(head, x, {}, plan);
  rough.backward(gradient);
  const at::Tensor actual = head.parameters()[0].value.grad();
  EXPECT_EQ(rough.energies().scalar_type(), at::kFloat);
  EXPECT_EQ(actual.scalar_type(), at::kFloat);
  EXPECT_TRUE(at::allclose(rough.energies(), exact.energies(), 0.02, 0.02));
  EXPECT_LT((actual - expected).norm().item<double>(), 0.03 * expected.norm().item<double>());
  EXPECT_FALSE(at::equal(rough.energies(), exact.energies()));
}

TEST(OperatorThreads, GivesTheThreadsBack) {
  const int before = at::get_num_threads();
  {
    const torch::OperatorThreads serial(1);
    EXPECT_EQ(at::get_num_threads(), 1);
    EXPECT_EQ(serial.former(), static_cast<std::size_t>(before));
  }
  EXPECT_EQ(at::get_num_threads(), before);
}

}  // namespace
}  // namespace molgauge::ood
