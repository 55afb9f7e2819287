#include "base/train/sharded_pass.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include "support/gradcheck.h"

namespace molgauge::train {
namespace {

/// Returns tanh(rows W^T + b) for the given parameters.
at::Tensor outputs(const std::vector<Parameter>& parameters, const at::Tensor& rows) {
  return at::tanh(at::linear(rows, parameters[0].value, parameters[1].value));
}

std::vector<Parameter> layer() {
  return {{"weight", at::randn({3, 4}).requires_grad_(true)}, {"bias", at::randn({3}).requires_grad_(true)}};
}

TEST(ShardedPass, ItsBackwardIsTheSlopeOfItsForward) {
  const std::vector<Parameter> parameters = layer();
  const at::Tensor rows = at::randn({1100, 4}), weights = at::randn({1100, 3}).div_(1100);  // two shards
  std::vector<at::Tensor> numbers;
  for (const Parameter& parameter : parameters) {
    numbers.push_back(parameter.value.detach());
  }
  for (const bool keep : {true, false}) {
    PassPlan plan;
    plan.keep_activations = keep;
    test::expect_gradients(
        numbers,
        [&] {
          ShardedPass pass(
              parameters, rows.size(0), at::kCPU,
              [&](const std::vector<Parameter>& own, const RowRange& range) {
                return outputs(own, range.of(rows));
              },
              plan);
          const double value = (pass.outputs() * weights).sum(at::kDouble).item<double>();
          pass.backward(weights);
          return test::ValueAndGradients{value, {parameters[0].value.grad(), parameters[1].value.grad()}};
        },
        {.step = 1e-2, .tolerance = 2e-3});
  }
}

TEST(ShardedPass, AFrozenParameterGetsNoGradientAndAnUnusedOneZeros) {
  std::vector<Parameter> parameters = layer();
  parameters[1].value.requires_grad_(false);
  parameters.push_back({"unused", at::ones({2}).requires_grad_(true)});
  const at::Tensor rows = at::randn({5, 4});
  ShardedPass pass(
      parameters, 5, at::kCPU,
      [&](const std::vector<Parameter>& own, const RowRange& range) { return outputs(own, range.of(rows)); },
      {});
  pass.backward(at::ones({5, 3}));
  EXPECT_TRUE(parameters[0].value.grad().defined());
  EXPECT_FALSE(parameters[1].value.grad().defined());
  EXPECT_TRUE(at::equal(parameters[2].value.grad(), at::zeros({2})));
}

TEST(Gradcheck, FindsAWrongGradient) {
  const at::Tensor x = at::full({1}, 3.0, at::kDouble);
  const auto square = [&](double slope) {
    return [&x, slope] { return test::ValueAndGradients{x.square().item<double>(), {x * slope}}; };
  };
  test::expect_gradients({x}, square(2));
  EXPECT_NONFATAL_FAILURE(test::expect_gradients({x}, square(2.1)), "number 0");
  test::expect_gradients_of(
      {at::randn({4, 3}), at::randn({2, 3})},
      [](const std::vector<at::Tensor>& inputs) { return at::sigmoid(at::linear(inputs[0], inputs[1])); });
}

}  // namespace
}  // namespace molgauge::train
