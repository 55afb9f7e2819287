#include "ops/layers.h"

#include <cmath>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace headroom::ops {
namespace {

at::Tensor numbers(std::vector<float> values, at::IntArrayRef shape) {
  return at::tensor(values).reshape(shape);
}

TEST(Layers, LinearMultipliesByTheTranspose) {
  const Linear linear{numbers({1, 2, 3, 4, 5, 6}, {2, 3}), numbers({10, 20}, {2})};
  const at::Tensor y = apply(linear, numbers({1, 0, -1}, {1, 3}));
  EXPECT_TRUE(at::equal(y, numbers({8, 18}, {1, 2})));
}

TEST(Layers, RoundedLinearIsTheProductOfRoundedNumbers) {
  const Linear linear{at::randn({64, 336}) / 18, at::randn({64})};
  const at::Tensor x = at::randn({20, 336});
  const RoundedLinear rounded{linear.weight.to(at::kBFloat16), linear.bias};
  const auto round = [](const at::Tensor& tensor) { return tensor.to(at::kBFloat16).to(at::kFloat); };
  const at::Tensor exact = apply(Linear{round(linear.weight), linear.bias}, round(x));
  const at::Tensor y = apply(rounded, x);
  EXPECT_EQ(y.scalar_type(), at::kFloat);
  // Half a unit in the last place of bfloat16, of products below 8.
  EXPECT_TRUE(at::allclose(y, exact, 0, 0x1p-6));
  EXPECT_FALSE(at::allclose(y, apply(linear, x), 1e-5, 1e-5));
}

TEST(Layers, NormalisesWithTheBiasedVariance) {
  const LayerNorm normalization{numbers({2, 2, 2, 2}, {4}), numbers({1, 1, 1, 1}, {4})};
  const at::Tensor y = apply(normalization, numbers({1, 2, 3, 4}, {1, 4}));
  const double deviation = std::sqrt(1.25 + 1e-5);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(y[0][i].item<float>(), 2 * (i - 1.5) / deviation + 1, 1e-6);
  }
}

TEST(Layers, GeluIsExact) {
  for (const double x : {-3.0, -1.0, -0.1, 0.0, 0.5, 2.0}) {
    const at::Tensor y = apply(Activation::gelu, numbers({static_cast<float>(x)}, {1}));
    EXPECT_NEAR(y.item<float>(), 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))), 1e-6) << x;
  }
}

TEST(Layers, ReluCutsAtZero) {
  EXPECT_TRUE(at::equal(apply(Activation::relu, numbers({-1, 0, 2}, {3})), numbers({0, 0, 2}, {3})));
  EXPECT_TRUE(at::equal(apply(Activation::none, numbers({-1, 0, 2}, {3})), numbers({-1, 0, 2}, {3})));
}

}  // namespace
}  // namespace headroom::ops
