#include "ood/run/adamw.h"

#include <cmath>

#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "torch/cpu_tensor_memory.h"
#include "train/schedule.h"

namespace headroom::ood {
namespace {

void set_gradients(const EnergyHead& head, double number) {
  for (const auto& [name, value] : head.parameters()) {
    value.mutable_grad() = at::full_like(value, number).detach();
  }
}

TEST(AdamW, FollowsTheFormulaByHand) {
  const EnergyHead head(3, 2, 1);
  const double start = head.parameters()[5].value.item<double>();
  AdamWOptions options;
  options.weight_decay = 0.1;
  AdamW optimizer(head, options);
  double p = start, m = 0, v = 0;
  for (int t = 1; t <= 3; ++t) {
    const double g = 0.5 * t;
    set_gradients(head, g);
    optimizer.step(0.01);
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    p -= 0.01 * 0.1 * p;
    p -= 0.01 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
  }
  EXPECT_NEAR(head.parameters()[5].value.item<double>(), p, 1e-6);
}

TEST(AdamW, GoesOnFromASavedState) {
  const EnergyHead head(3, 2, 1);
  EnergyHead copy(3, 2, 2);
  AdamW first(head, {});
  set_gradients(head, 0.25);
  first.step(0.01);
  copy.copy_from(head);
  AdamW second(copy, {});
  io::TensorMap saved;
  first.save(saved);
  second.restore(saved, first.steps(), "a file");
  for (AdamW* optimizer : {&first, &second}) {
    set_gradients(optimizer == &first ? head : copy, -0.5);
    optimizer->step(0.01);
  }
  for (std::size_t i = 0; i < head.parameters().size(); ++i) {
    EXPECT_TRUE(at::equal(head.parameters()[i].value, copy.parameters()[i].value));
  }
  saved.erase("optimizer.exp_avg.fc1.bias");
  EXPECT_THROW(second.restore(saved, 1, "a file"), InputError);
}

TEST(AdamW, ChangesNothingWhenThereIsNoMemory) {
  memory::AllocationMeter& meter = torch::cpu_tensor_memory();
  for (const at::ScalarType state : {at::kFloat, at::kBFloat16}) {
    const EnergyHead head(30, 20, 1);
    AdamWOptions options;
    options.state = state;
    AdamW optimizer(head, options);
    set_gradients(head, 0.25);
    optimizer.step(0.01);
    const auto numbers = [&] {
      io::TensorMap all = head.weights().to_tensors();
      optimizer.save(all);
      std::vector<std::byte> bytes;
      for (const auto& [name, tensor] : all) {
        bytes.insert(bytes.end(), tensor.bytes.begin(), tensor.bytes.end());
      }
      return bytes;
    };
    const auto before = numbers();
    const std::uint64_t counted = meter.allocations();
    std::uint64_t refusals = 0;
    for (std::uint64_t k = 1; refusals + 1 == k; ++k) {
      meter.refuse_from_now(k);
      try {
        optimizer.step(0.01);
      } catch (const c10::OutOfMemoryError&) {
        ++refusals;
        EXPECT_EQ(optimizer.steps(), 1);
        EXPECT_TRUE(numbers() == before) << "allocation " << k;
      }
    }
    meter.refuse_from_now(memory::AllocationMeter::kNever);
    EXPECT_GT(meter.allocations(), counted);
    EXPECT_GT(refusals, 0U);
    EXPECT_EQ(optimizer.steps(), 2);
    EXPECT_FALSE(numbers() == before);
  }
}

TEST(AdamW, InBfloat16FollowsTheExactOneOverManySteps) {
  const EnergyHead exact(40, 20, 1), rough(40, 20, 1);
  AdamWOptions options;
  AdamW first(exact, options);
  options.state = at::kBFloat16;
  AdamW second(rough, options);
  const at::Tensor start = exact.parameters()[0].value.detach().clone();
  for (int step = 0; step < 3000; ++step) {
    const double gradient = step < 200 ? 1.0 : 0.01;  // the mean of squares has to fall again
    set_gradients(exact, gradient);
    set_gradients(rough, gradient);
    first.step(1e-4);
    second.step(1e-4);
  }
  const at::Tensor moved = exact.parameters()[0].value.detach() - start;
  const at::Tensor apart =
      (rough.parameters()[0].value.detach() - exact.parameters()[0].value.detach()).mean();
  EXPECT_LT(std::abs(apart.item<double>()), 0.01 * moved.abs().mean().item<double>());
}

TEST(GradientClip, ScalesOnlyWhatIsTooLong) {
  const EnergyHead head(3, 2, 1);  // 3*2 + 2 + 2*1 + 1 + 1 + 1 = 13 parameters
  set_gradients(head, 2);
  EXPECT_NEAR(clip_gradient_norm(head, 100), 2 * std::sqrt(13.0), 1e-12);
  EXPECT_NEAR(clip_gradient_norm(head, 1), 2 * std::sqrt(13.0), 1e-12);
  EXPECT_NEAR(clip_gradient_norm(head, 0), 1, 1e-5);
}

TEST(LearningRateSchedule, FallsByATenthEveryTenEpochs) {
  EXPECT_DOUBLE_EQ(train::scheduled_learning_rate(1e-4, 0), 1e-4);
  EXPECT_DOUBLE_EQ(train::scheduled_learning_rate(1e-4, 9), 1e-4);
  EXPECT_DOUBLE_EQ(train::scheduled_learning_rate(1e-4, 10), 9e-5);
  EXPECT_DOUBLE_EQ(train::scheduled_learning_rate(1e-4, 29), 8.1e-5);
}

}  // namespace
}  // namespace headroom::ood
