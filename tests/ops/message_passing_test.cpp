#include "ops/message_passing.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

namespace headroom::ops {
namespace {

/// Edges in any order, as tensors ordered by target.
Edges random_edges(std::int64_t nodes, std::int64_t edge_count, std::int64_t kinds) {
  Edges edges;
  edges.target = std::get<0>(at::randint(nodes, {edge_count}, at::kLong).sort());
  edges.source = at::randint(nodes, {edge_count}, at::kLong);
  edges.kind = at::randint(kinds, {edge_count}, at::kLong);
  edges.first = at::searchsorted(edges.target, at::arange(nodes + 1, at::kLong));
  return edges;
}

TEST(MessagePassing, IsTheFormula) {
  const at::Tensor nodes = at::tensor({1.0F, -2.0F, 3.0F}).reshape({3, 1});
  const at::Tensor kinds = at::tensor({0.5F, -5.0F}).reshape({2, 1});
  const Edges edges{.source = at::tensor({0, 2, 0}, at::kLong),
                    .target = at::tensor({1, 1, 2}, at::kLong),
                    .kind = at::tensor({0, 0, 1}, at::kLong),
                    .first = at::tensor({0, 0, 2, 3}, at::kLong)};
  const at::Tensor expected = at::tensor({1.0F, -2.0F + 1.5F + 3.5F, 3.0F}).reshape({3, 1});
  EXPECT_TRUE(at::equal(message_passing(nodes, edges, kinds), expected));
  EXPECT_TRUE(at::equal(message_passing_reference(nodes, edges, kinds), expected));
}

TEST(MessagePassing, KernelEqualsReference) {
  for (const std::int64_t width : {1, 7, 128, 336}) {
    const at::Tensor nodes = at::randn({50, width});
    const at::Tensor kinds = at::randn({4, width});
    const Edges edges = random_edges(50, 120, 4);
    EXPECT_TRUE(at::allclose(message_passing(nodes, edges, kinds),
                             message_passing_reference(nodes, edges, kinds), 1e-6, 1e-6))
        << width;
  }
}

TEST(MessagePassing, LeavesNodesWithoutEdgesAlone) {
  const at::Tensor nodes = at::randn({3, 8});
  const Edges edges = random_edges(3, 0, 1);
  EXPECT_TRUE(at::equal(message_passing(nodes, edges, at::empty({0, 8})), nodes));
  EXPECT_TRUE(at::equal(message_passing_reference(nodes, edges, at::empty({0, 8})), nodes));
}

TEST(MessagePassing, CarriesGradients) {
  const at::Tensor nodes = at::randn({6, 4}, at::kDouble).requires_grad_(true);
  const at::Tensor kinds = at::randn({2, 4}, at::kDouble).requires_grad_(true);
  const Edges edges = random_edges(6, 10, 2);
  message_passing(nodes, edges, kinds).sum().backward();

  const double step = 1e-6;
  const c10::NoGradGuard no_gradients;
  at::Tensor moved = nodes.clone();
  moved[2][1] += step;
  const double change =
      (message_passing(moved, edges, kinds) - message_passing(nodes, edges, kinds)).sum().item<double>();
  EXPECT_NEAR(nodes.grad()[2][1].item<double>(), change / step, 1e-5);
  EXPECT_TRUE(kinds.grad().defined());
}

}  // namespace
}  // namespace headroom::ops
