#include "ops/dense.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "ops/gine.h"

namespace headroom::ops {
namespace {

Linear random_linear(std::int64_t out, std::int64_t in) {
  return {at::randn({out, in}) / 4, at::randn({out})};
}
LayerNorm random_norm(std::int64_t width) { return {at::randn({width}), at::randn({width})}; }

Edges ring(std::int64_t nodes) {
  const at::Tensor target = at::arange(nodes, at::kLong);
  return {.source = (target + 1).remainder(nodes),
          .target = target,
          .kind = target.remainder(2),
          .first = at::arange(nodes + 1, at::kLong)};
}

TEST(Dense, EqualsItsReferenceInEveryShape) {
  const Dense dense(random_linear(24, 16), random_norm(24), Activation::gelu);
  ASSERT_NE(dense.packed(), nullptr);
  for (const at::Tensor& x :
       {at::randn({100, 16}), at::randn({0, 16}), at::randn({9, 8, 16}), at::randn({16, 30}).t()}) {
    const at::Tensor expected = dense.reference(x);
    EXPECT_EQ(dense(x).sizes(), expected.sizes());
    EXPECT_TRUE(at::allclose(dense(x), expected, 1e-5, 1e-5));
  }
}

TEST(Dense, OfWeightsThatWantGradientsFollowsThem) {
  Linear linear = random_linear(3, 5);
  linear.weight.requires_grad_(true);
  const Dense dense(linear, Activation::none);
  EXPECT_EQ(dense.packed(), nullptr);
  const at::Tensor x = at::randn({2, 5});
  dense(x).sum().backward();
  EXPECT_TRUE(at::allclose(linear.weight.grad(), x.sum(0).expand({3, 5})));
}

TEST(GineLayer, EqualsItsReferenceAndTakesOverTheResidual) {
  const Dense hidden(random_linear(20, 20), random_norm(20), Activation::gelu);
  const Dense out(random_linear(33, 20), random_norm(33), Activation::gelu);
  const at::Tensor nodes = at::randn({130, 20}), kinds = at::randn({2, 20});
  const Edges edges = ring(130);
  EXPECT_TRUE(at::allclose(gine_layer(nodes, edges, kinds, hidden, out, at::Tensor()),
                           gine_layer_reference(nodes, edges, kinds, hidden, out, at::Tensor()), 1e-5, 1e-5));

  at::Tensor residual = at::randn({130, 33});
  const void* const memory = residual.data_ptr();
  const at::Tensor expected = gine_layer_reference(nodes, edges, kinds, hidden, out, residual);
  const at::Tensor sum = gine_layer(nodes, edges, kinds, hidden, out, std::move(residual));
  EXPECT_TRUE(at::allclose(sum, expected, 1e-5, 1e-5));
  EXPECT_EQ(sum.data_ptr(), memory);
}

TEST(GineLayer, CarriesGradients) {
  const Dense hidden(random_linear(4, 4), Activation::relu), out(random_linear(4, 4), Activation::none);
  const at::Tensor nodes = at::randn({6, 4}).requires_grad_(true);
  const at::Tensor residual = at::randn({6, 4});
  gine_layer(nodes, ring(6), at::randn({2, 4}), hidden, out, residual).sum().backward();
  EXPECT_TRUE(nodes.grad().defined());
}

}  // namespace
}  // namespace headroom::ops
