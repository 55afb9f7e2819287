#include "base/numerics/torch/layers.h"

#include <cmath>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "gpu.h"

namespace molgauge::torch {
namespace {

at::Tensor numbers(std::vector<float> values, at::IntArrayRef shape) {
  return at::tensor(values).reshape(shape);
}

Linear random_linear(std::int64_t out, std::int64_t in) {
  return {at::randn({out, in}) / std::sqrt(in), at::randn({out})};
}

TEST(Layers, LinearMultipliesByTheTranspose) {
  const Linear linear{numbers({1, 2, 3, 4, 5, 6}, {2, 3}), numbers({10, 20}, {2})};
  const at::Tensor y = apply(linear, numbers({1, 0, -1}, {1, 3}));
  EXPECT_TRUE(at::equal(y, numbers({8, 18}, {1, 2})));
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

TEST(Dense, IsALinearLayerItsNormalisationAndItsActivation) {
  const Linear linear = random_linear(24, 16);
  const LayerNorm normalization{at::randn({24}), at::randn({24})};
  for (const auto activation : {Activation::none, Activation::relu, Activation::gelu}) {
    for (const at::Tensor& x :
         {at::randn({100, 16}), at::randn({0, 16}), at::randn({9, 8, 16}), at::randn({16, 30}).t()}) {
      const at::Tensor product = at::matmul(x, linear.weight.t()) + linear.bias;
      const at::Tensor plain = Dense(linear, activation)(x);
      EXPECT_EQ(plain.sizes(), product.sizes());
      EXPECT_TRUE(at::allclose(plain, apply(activation, product), 1e-5, 1e-5));
      EXPECT_TRUE(at::allclose(Dense(linear, normalization, activation)(x),
                               apply(activation, apply(normalization, product)), 1e-5, 1e-5));
    }
  }
}

TEST(Dense, IsMadeOfParametersWithoutNumbers) {
  for (const auto precision : {Precision::fp32, Precision::bf16}) {
    EXPECT_NO_THROW(Dense(Linear{}, LayerNorm{}, Activation::gelu, precision));
  }
}

TEST(Dense, OfWeightsThatWantGradientsFollowsThem) {
  Linear linear = random_linear(3, 5);
  linear.weight.requires_grad_(true);
  const Dense dense(linear, Activation::none);
  const at::Tensor x = at::randn({2, 5});
  dense(x).sum().backward();
  EXPECT_TRUE(at::allclose(linear.weight.grad(), x.sum(0).expand({3, 5})));
  // The layer uses the current weights, and not a copy of earlier weights.
  {
    const c10::NoGradGuard no_gradients;
    linear.weight.zero_();
  }
  EXPECT_TRUE(at::equal(dense(x), linear.bias.expand({2, 3})));
}

TEST(Dense, CarriesTheGradientsOfEveryParameter) {
  for (const auto activation : {Activation::none, Activation::relu, Activation::gelu}) {
    const auto doubles = [](at::IntArrayRef shape) { return at::randn(shape, at::kDouble); };
    Linear linear{doubles({6, 5}), doubles({6})};
    LayerNorm normalization{doubles({6}), doubles({6})};
    at::Tensor x = doubles({4, 5});
    const at::Tensor weights = doubles({4, 6});
    const Dense dense(linear, normalization, activation);
    for (at::Tensor* const leaf :
         {&linear.weight, &linear.bias, &normalization.weight, &normalization.bias, &x}) {
      leaf->requires_grad_(true);
    }
    (dense(x) * weights).sum().backward();

    const c10::NoGradGuard no_gradients;
    for (at::Tensor* const leaf :
         {&linear.weight, &linear.bias, &normalization.weight, &normalization.bias, &x}) {
      at::Tensor number = leaf->view({-1})[3];
      const double before = number.item<double>(), step = 1e-6;
      const auto sum_at = [&](double value) {
        number.fill_(value);
        return (dense(x) * weights).sum().item<double>();
      };
      const double slope = (sum_at(before + step) - sum_at(before - step)) / (2 * step);
      number.fill_(before);
      EXPECT_NEAR(leaf->grad().view({-1})[3].item<double>(), slope, 1e-6);
    }
  }
}

TEST(Dense, InBfloat16OnTheCpuIsInFloat32) {
  const Linear linear = random_linear(64, 336);
  const at::Tensor x = at::randn({20, 336});
  EXPECT_TRUE(
      at::equal(Dense(linear, Activation::gelu, Precision::bf16)(x), Dense(linear, Activation::gelu)(x)));
}

TEST(DenseOnGpu, InBfloat16IsTheProductOfRoundedNumbers) {
  REQUIRE_GPU();
  const Linear linear = random_linear(64, 336);
  const at::Tensor x = at::randn({20, 336});
  const Linear there{linear.weight.to(test::kGpu), linear.bias.to(test::kGpu)};
  const auto round = [](const at::Tensor& tensor) { return tensor.to(at::kBFloat16).to(at::kFloat); };
  const at::Tensor exact = apply(Linear{round(linear.weight), linear.bias}, round(x));
  const at::Tensor result = Dense(there, Activation::none, Precision::bf16)(x.to(test::kGpu));
  EXPECT_EQ(result.scalar_type(), at::kFloat);
  const at::Tensor y = result.to(at::kCPU);
  // The tolerance is half a unit in the last place of bfloat16, for products below 8.
  EXPECT_TRUE(at::allclose(y, exact, 0, 0x1p-6));
  EXPECT_FALSE(at::allclose(y, apply(linear, x), 1e-5, 1e-5));
  EXPECT_EQ(there.weight.scalar_type(), at::kFloat) << "the parameters are unchanged";
}

TEST(Dense, RoundedLeavesItsResultInTheTypeOfItsProducts) {
  const Linear linear = random_linear(64, 336);
  const at::Tensor x = at::randn({20, 336});
  const Dense layer = Dense::rounded(linear, Activation::gelu, at::kBFloat16);
  const at::Tensor half = layer.in_type_of_products(x), whole = layer(x);
  EXPECT_EQ(half.scalar_type(), at::kBFloat16);
  EXPECT_EQ(whole.scalar_type(), at::kFloat);
  const auto round = [](const at::Tensor& tensor) { return tensor.to(at::kBFloat16).to(at::kFloat); };
  const at::Tensor exact = at::gelu(apply(Linear{round(linear.weight), round(linear.bias)}, round(x)));
  EXPECT_TRUE(at::allclose(half.to(at::kFloat), exact, 0x1p-6, 0x1p-6));
  const Dense plain(linear, Activation::gelu);
  EXPECT_TRUE(at::equal(plain.in_type_of_products(x), plain(x))) << "in float32 nothing is rounded";
  const Dense normalised(linear, {at::ones({64}), at::zeros({64})}, Activation::none);
  EXPECT_EQ(normalised.in_type_of_products(x).scalar_type(), at::kFloat);
}

}  // namespace
}  // namespace molgauge::torch
