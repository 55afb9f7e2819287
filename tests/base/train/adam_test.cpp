#include "base/train/adam.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "made_up_parameters.h"

namespace molgauge::train {
namespace {

using test::copy_of;
using test::made_up_parameters;
using test::numbers_of;
using test::set_gradients;

TEST(Adam, FollowsTheFormulaByHand) {
  const Parameters parameters = made_up_parameters({.learning_rate = 0.01, .weight_decay = 0.1});
  Adam optimizer(parameters, {});
  double p = numbers_of(parameters).back(), m = 0, v = 0;
  for (int t = 1; t <= 3; ++t) {
    set_gradients(parameters, 0.5 * t);
    optimizer.step({});
    const double g = 0.5 * t + 0.1 * p;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    p -= 0.01 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
  }
  EXPECT_NEAR(numbers_of(parameters).back(), p, 1e-6);
}

TEST(Adam, ViewsOfOneArrayAreUpdatedAsTheArray) {
  const at::Tensor start = at::randn({101}), gradient = at::randn({101});
  const auto after_steps = [&](const std::vector<std::int64_t>& widths) {
    const at::Tensor all = start.clone();
    ParameterGroup group{.name = "all", .parameters = {}, .options = {.weight_decay = 5e-4}};
    std::int64_t first = 0;
    for (const std::int64_t width : widths) {
      const at::Tensor part = all.narrow(0, first, width);
      part.mutable_grad() = gradient.narrow(0, first, width);
      group.parameters.push_back({"part" + std::to_string(first), part});
      first += width;
    }
    Adam optimizer(Parameters({std::move(group)}), {});
    for (int step = 0; step < 5; ++step) {
      optimizer.step({});
    }
    return all;
  };
  EXPECT_TRUE(at::equal(after_steps({101}), after_steps({17, 1, 50, 33})));
}

TEST(Adam, GoesOnFromASavedState) {
  const Parameters parameters = made_up_parameters({});
  Adam first(parameters, {});
  set_gradients(parameters, 0.25);
  first.step({});
  const Parameters copy = copy_of(parameters);
  Adam second(copy, {});
  io::TensorMap saved;
  first.save(saved);
  second.restore(saved, first.steps(), "a file");
  for (const auto& [optimizer, numbers] : {std::pair(&first, parameters), std::pair(&second, copy)}) {
    set_gradients(numbers, -0.5);
    optimizer->step({});
  }
  EXPECT_EQ(numbers_of(parameters), numbers_of(copy));
  saved.erase("optimizer.exp_avg_sq.weight");
  EXPECT_THROW(second.restore(saved, 1, "a file"), InputError);
}

}  // namespace
}  // namespace molgauge::train
