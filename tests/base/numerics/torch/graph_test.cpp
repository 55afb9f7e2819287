#include "base/numerics/torch/graph.h"

#include <cmath>
#include <limits>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include "arrays.h"
#include "base/numerics/torch/attention_kernels.h"

namespace molgauge::torch {
namespace {

Edges random_edges(std::int64_t nodes, std::int64_t edges, std::int64_t kinds) {
  return as_tensors(test::random_edges(nodes, edges, kinds));
}

Segments make_segments(const std::vector<std::int64_t>& sizes) {
  return on_device(ops::make_segments(sizes), c10::kCPU);
}

Linear random_linear(std::int64_t out, std::int64_t in) {
  return {at::randn({out, in}, at::kDouble), at::randn({out}, at::kDouble)};
}

/// Two edges of one kind into node 1, and one edge of another kind into node 2.
Edges some_edges() {
  return {.source = at::tensor({0, 2, 0}, at::kLong),
          .kind = at::tensor({0, 0, 1}, at::kLong),
          .first = at::tensor({0, 0, 2, 3}, at::kLong)};
}

/// The derivative of a sum with respect to one number of a tensor.
template <typename Sum>
double slope_of(const Sum& sum, const at::Tensor& tensor, std::int64_t index) {
  const c10::NoGradGuard no_gradients;
  const double step = 1e-6;
  at::Tensor number = tensor.detach().view({-1})[index];
  const double before = number.item<double>();
  number.fill_(before + step);
  const double above = sum().template item<double>();
  number.fill_(before - step);
  const double below = sum().template item<double>();
  number.fill_(before);
  return (above - below) / (2 * step);
}

TEST(MessagePassing, IsTheFormula) {
  const at::Tensor nodes = at::tensor({1.0F, -2.0F, 3.0F}).reshape({3, 1});
  const at::Tensor kinds = at::tensor({0.5F, -5.0F}).reshape({2, 1});
  const at::Tensor expected = at::tensor({1.0F, -2.0F + 1.5F + 3.5F, 3.0F}).reshape({3, 1});
  EXPECT_TRUE(at::equal(message_passing(nodes, some_edges(), kinds), expected));
  EXPECT_EQ(nodes[1].item<float>(), -2.0F) << "its arguments are unchanged";
}

TEST(MessagePassing, LeavesNodesWithoutEdgesAlone) {
  const at::Tensor nodes = at::randn({3, 8});
  EXPECT_TRUE(at::equal(message_passing(nodes, random_edges(3, 0, 1), at::empty({0, 8})), nodes));
}

TEST(MessagePassing, CarriesGradients) {
  const at::Tensor nodes = at::randn({6, 4}, at::kDouble).requires_grad_(true);
  const at::Tensor kinds = at::randn({2, 4}, at::kDouble).requires_grad_(true);
  const Edges edges = random_edges(6, 10, 2);
  const auto sum = [&] { return message_passing(nodes, edges, kinds).sum(); };
  sum().backward();
  for (const std::int64_t index : {0, 5, 7}) {
    EXPECT_NEAR(nodes.grad().view({-1})[index].item<double>(), slope_of(sum, nodes, index), 1e-5);
    EXPECT_NEAR(kinds.grad().view({-1})[index].item<double>(), slope_of(sum, kinds, index), 1e-5);
  }
}

TEST(GineLayer, IsTheFormulaAndLeavesTheResidualAlone) {
  const auto numbers = [](std::vector<float> values, at::IntArrayRef shape) {
    return at::tensor(values).reshape(shape);
  };
  const at::Tensor nodes = numbers({1, -2, 3}, {3, 1}), kinds = numbers({0.5F, -5}, {2, 1});
  // The sums are 1, 3 and 3. After the hidden layer they are 0, 3 and 3.
  const Dense hidden({numbers({2}, {1, 1}), numbers({-3}, {1})}, Activation::relu);
  const Dense out({numbers({1, -1}, {2, 1}), numbers({0, 4}, {2})}, Activation::none);
  EXPECT_TRUE(at::equal(gine_layer(nodes, some_edges(), kinds, hidden, out, at::Tensor()),
                        numbers({0, 4, 3, 1, 3, 1}, {3, 2})));
  const at::Tensor residual = numbers({10, 20, 30, 40, 50, 60}, {3, 2});
  const at::Tensor before = residual.clone();
  EXPECT_TRUE(at::equal(gine_layer(nodes, some_edges(), kinds, hidden, out, residual),
                        numbers({10, 24, 33, 41, 53, 61}, {3, 2})));
  EXPECT_TRUE(at::equal(residual, before));
}

TEST(GineLayer, CarriesGradients) {
  for (const auto activation : {Activation::none, Activation::gelu}) {
    Linear linear = random_linear(4, 4);
    linear.weight.requires_grad_(true);
    const Dense hidden(linear, Activation::relu);
    const Dense out(random_linear(4, 4), {at::randn({4}, at::kDouble), at::randn({4}, at::kDouble)},
                    activation);
    const at::Tensor nodes = at::randn({6, 4}, at::kDouble).requires_grad_(true);
    const at::Tensor kinds = at::randn({2, 4}, at::kDouble).requires_grad_(true);
    const at::Tensor residual = at::randn({6, 4}, at::kDouble).requires_grad_(true);
    const at::Tensor weights = at::randn({6, 4}, at::kDouble);
    const Edges edges = random_edges(6, 10, 2);
    const auto sum = [&] { return (gine_layer(nodes, edges, kinds, hidden, out, residual) * weights).sum(); };
    sum().backward();
    for (const at::Tensor& leaf : {nodes, kinds, residual, linear.weight}) {
      EXPECT_NEAR(leaf.grad().view({-1})[5].item<double>(), slope_of(sum, leaf, 5), 1e-4);
    }
  }
}

TEST(Segment, OfNothingIsEmpty) {
  const Segments segments = make_segments({});
  EXPECT_EQ(segments.count(), 0);
  EXPECT_EQ(segment_max(at::empty({0, 3}), segments).sizes(), at::IntArrayRef({0, 3}));
  EXPECT_EQ(segment_sum(at::empty({0, 3}), segments).sizes(), at::IntArrayRef({0, 3}));
}

TEST(Segment, ReducesByHand) {
  const Segments segments = make_segments({2, 1});
  const at::Tensor rows = at::tensor({1.0F, -4.0F, 2.0F, -3.0F, 7.0F, 8.0F}).reshape({3, 2});
  const at::Tensor addends = at::tensor({10.0F, 20.0F, 30.0F, 40.0F}).reshape({2, 2});
  EXPECT_TRUE(at::equal(segment_sum(rows, segments), at::tensor({3.0F, -7.0F, 7.0F, 8.0F}).reshape({2, 2})));
  EXPECT_TRUE(at::equal(segment_max(rows, segments), at::tensor({2.0F, -3.0F, 7.0F, 8.0F}).reshape({2, 2})));
  EXPECT_TRUE(at::equal(add_to_segments(rows, addends, segments),
                        at::tensor({11.0F, 16.0F, 12.0F, 17.0F, 37.0F, 48.0F}).reshape({3, 2})));
}

TEST(Segment, AnEmptyOneHasTheSumZeroAndTheLargestOfNothing) {
  const Segments segments = make_segments({0, 1, 0});
  const at::Tensor rows = at::full({1, 1}, 5.0F);
  const float lowest = -std::numeric_limits<float>::infinity();
  EXPECT_TRUE(at::equal(segment_sum(rows, segments), at::tensor({0.0F, 5.0F, 0.0F}).reshape({3, 1})));
  EXPECT_TRUE(at::equal(segment_max(rows, segments), at::tensor({lowest, 5.0F, lowest}).reshape({3, 1})));
}

TEST(Segment, ANotANumberIsNeverHidden) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Segments segments = make_segments({3});
  for (const at::Tensor& rows :
       {at::tensor({nan, 1.0F, 2.0F}), at::tensor({1.0F, nan, 2.0F}), at::tensor({1.0F, 2.0F, nan})}) {
    EXPECT_TRUE(std::isnan(segment_max(rows.reshape({3, 1}), segments).item<float>()));
    EXPECT_TRUE(std::isnan(segment_sum(rows.reshape({3, 1}), segments).item<float>()));
  }
}

TEST(Segment, CarriesGradients) {
  const Segments segments = make_segments({2, 1});
  const at::Tensor rows = at::tensor({1.0F, 5.0F, 3.0F}).reshape({3, 1}).requires_grad_(true);
  const at::Tensor addends = at::ones({2, 1}).requires_grad_(true);
  const at::Tensor moved = add_to_segments(rows, addends, segments);
  (segment_max(moved, segments) + 10 * segment_sum(moved, segments)).sum().backward();
  EXPECT_TRUE(at::equal(rows.grad(), at::tensor({10.0F, 11.0F, 11.0F}).reshape({3, 1})));
  EXPECT_TRUE(at::equal(addends.grad(), at::tensor({21.0F, 11.0F}).reshape({2, 1})));
}

TEST(SumOfRuns, AddsUpInTheOrderOfTheRows) {
  const at::Tensor rows = at::randn({40, 13}) * at::randn({40, 13}).mul(3).exp();
  const at::Tensor first = at::tensor({0, 17, 17, 40}, at::kLong);
  const at::Tensor sums = sum_of_runs(rows, first);
  for (std::int64_t run = 0; run < 3; ++run) {
    at::Tensor expected = at::zeros({13});
    for (std::int64_t row = first[run].item<std::int64_t>(); row < first[run + 1].item<std::int64_t>();
         ++row) {
      expected += rows[row];
    }
    EXPECT_TRUE(at::equal(sums[run], expected)) << run;
  }
}

TEST(Segments, OfAGpuKnowTheirPairs) {
  const ops::Segments sizes = ops::make_segments({3, 0, 2, 4});
  const Segments here = as_tensors(sizes, c10::kCPU);
  EXPECT_FALSE(here.first_pair.defined());
  const Segments there = as_tensors(sizes, c10::Device(c10::kCUDA, 0));
  EXPECT_TRUE(at::equal(there.first_pair, first_pairs(here)));
  EXPECT_TRUE(at::equal(first_pairs(there), there.first_pair)) << "it is not computed again";
}

}  // namespace
}  // namespace molgauge::torch
