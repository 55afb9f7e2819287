// Compares messages between the GPU code path and the kernels of the CPU. The GPU code path runs on the host
// here, and also on a GPU if there is one.

#include "base/numerics/torch/message_kernels.h"

#include <string>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "base/numerics/ops/equivariant/harmonics.h"
#include "base/numerics/ops/equivariant/layers.h"
#include "base/numerics/ops/equivariant/message.h"
#include "base/numerics/ops/equivariant/radial_network.h"
#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/device.h"
#include "base/numerics/torch/harmonics_by_operators.h"
#include "base/numerics/torch/torch_compatibility.h"
#include "tensors.h"

namespace molgauge::torch {
namespace {

MessageTensors problem(const ops::TensorProduct& product, std::int64_t hidden,
                       const std::vector<std::int64_t>& edge_counts) {
  const auto nodes = static_cast<std::int64_t>(edge_counts.size());
  std::vector<std::int64_t> first{0}, target;
  for (std::int64_t node = 0; node < nodes; ++node) {
    const std::int64_t count = edge_counts[static_cast<std::size_t>(node)];
    first.push_back(first.back() + count);
    target.insert(target.end(), static_cast<std::size_t>(count), node);
  }
  const std::int64_t edges = first.back();
  at::manual_seed(5);
  return {.rows = at::randn({nodes, product.in().width()}),
          .harmonics = at::randn({edges, product.harmonics().width()}),
          .radial = at::randn({edges, hidden}),
          .weight = at::randn({product.weights(), hidden}),
          .bias = at::randn({product.weights()}),
          .edges = {at::randint(nodes, {edges}, at::kLong), at::tensor(target, at::kLong),
                    at::tensor(first, at::kLong)}};
}

ops::MessageArguments arguments(const ops::TensorProduct& product, const MessageTensors& tensors) {
  return {.product = product,
          .nodes = tensors.rows.size(0),
          .hidden = tensors.radial.size(1),
          .rows = read_numbers<float>(tensors.rows),
          .harmonics = read_numbers<float>(tensors.harmonics),
          .radial = read_numbers<float>(tensors.radial),
          .weight = read_numbers<float>(tensors.weight),
          .bias = read_numbers<float>(tensors.bias),
          .source = read_numbers<std::int64_t>(tensors.edges.source),
          .first = read_numbers<std::int64_t>(tensors.edges.first)};
}

MessageTensors on(const MessageTensors& tensors, c10::Device device) {
  return {.rows = tensors.rows.to(device),
          .harmonics = tensors.harmonics.to(device),
          .radial = tensors.radial.to(device),
          .weight = tensors.weight.to(device),
          .bias = tensors.bias.to(device),
          .edges = {tensors.edges.source.to(device), tensors.edges.target.to(device),
                    tensors.edges.first.to(device)}};
}

double difference(const at::Tensor& found, const at::Tensor& expected) {
  return ((found.cpu() - expected).abs().max() / expected.abs().max()).item<double>();
}

void expect_the_kernels(const ops::TensorProduct& product, const MessageTensors& tensors, c10::Device device,
                        const MessageTiles& tiles = {}) {
  constexpr double kTolerance = 1e-5;
  const at::Tensor expected = at::empty({tensors.rows.size(0), product.out().width()});
  ops::equivariant_message(arguments(product, tensors), write_numbers<float>(expected));
  const MessageTensors there = on(tensors, device);
  EXPECT_LE(difference(message_kernels(product, there, tiles), expected), kTolerance);

  const at::Tensor gradient = at::randn(expected.sizes());
  const at::Tensor rows = at::zeros_like(tensors.rows), harmonics = at::zeros_like(tensors.harmonics),
                   radial = at::zeros_like(tensors.radial), weight = at::zeros_like(tensors.weight),
                   bias = at::zeros_like(tensors.bias);
  ops::equivariant_message_backward(arguments(product, tensors), read_numbers<float>(gradient),
                                    {.rows = write_numbers<float>(rows),
                                     .harmonics = write_numbers<float>(harmonics),
                                     .radial = write_numbers<float>(radial),
                                     .weight = write_numbers<float>(weight),
                                     .bias = write_numbers<float>(bias)});
  const MessageGradients gradients =
      message_backward_by_steps(product, there, gradient.to(device), true, tiles);
  EXPECT_LE(difference(gradients.rows, rows), kTolerance);
  EXPECT_LE(difference(gradients.harmonics, harmonics), kTolerance);
  EXPECT_LE(difference(gradients.radial, radial), kTolerance);
  EXPECT_LE(difference(gradients.weight, weight), kTolerance);
  EXPECT_LE(difference(gradients.bias, bias), kTolerance);
  EXPECT_FALSE(message_backward_by_steps(product, there, gradient.to(device), false).harmonics.defined());
}

void expect_the_kernels(const char* in, const char* out, int degree, std::int64_t hidden,
                        const std::vector<std::int64_t>& counts, c10::Device device) {
  const ops::TensorProduct product(ops::Irreps::parse(in), degree, ops::Irreps::parse(out));
  expect_the_kernels(product, problem(product, hidden, counts), device);
}

TEST(MessageBySteps, IsTheKernelsOfTheCpu) {
  expect_the_kernels("5x0e + 3x1o + 2x2e", "10x0e + 3x1o + 2x2e", 2, 12, {4, 0, 19, 1}, c10::kCPU);
  expect_the_kernels("3x0e + 2x1o + 1x3o", "5x0e + 2x1o + 2x2e + 2x3o", 3, 5, {2, 3}, c10::kCPU);
  expect_the_kernels("4x0e", "7x0e", 0, 3, {0, 2, 0}, c10::kCPU);
  // Some nodes have more edges than a tile of slopes holds. The edges also have more radial numbers than the
  // tile holds.
  expect_the_kernels("5x0e + 3x1o", "8x0e + 3x1o", 1, 70, {17, 0, 33, 16}, c10::kCPU);
}

TEST(MessageBySteps, TilesFollowNodesAndEdges) {
  const ops::TensorProduct product(ops::Irreps::parse("5x0e + 3x1o"), 1, ops::Irreps::parse("8x0e + 3x1o"));
  const MessageTensors tensors = problem(product, 7, {1, 3, 0, 2, 9, 1, 1, 2});
  expect_the_kernels(product, tensors, c10::kCPU, {.sum_bytes = 2 << 11});  // a node or two
  expect_the_kernels(product, tensors, c10::kCPU, {.edges = 4});
}

/// Training makes a new, equal product for each batch. The kernels must find the forms that were cached for
/// the earlier, equal product.
TEST(MessageBySteps, ProductsTakeTurns) {
  for (int round = 0; round < 2; ++round) {
    for (const std::int64_t hidden : {4, 5}) {
      expect_the_kernels("3x0e + 2x1o", "5x0e + 2x1o", 1, hidden, {4, 2}, c10::kCPU);
      expect_the_kernels("3x0e + 2x1o", "7x0e + 2x1o", 1, hidden, {4, 2}, c10::kCPU);
    }
  }
  for (int channels = 1; channels < 20; ++channels) {  // more products than the cache keeps
    expect_the_kernels((std::to_string(channels) + "x0e").c_str(), "7x0e", 0, 3, {2, 1}, c10::kCPU);
  }
}

TEST(DirectedEdges, OfAGpuAreOrderedBySourceOnce) {
  const ops::DirectedEdges edges{.source = test::integers_of(at::tensor({1, 2, 0, 2, 1, 2}, at::kLong)),
                                 .target = test::integers_of(at::tensor({0, 0, 1, 1, 2, 2}, at::kLong)),
                                 .first = test::integers_of(at::tensor({0, 2, 4, 6, 6}, at::kLong))};
  const DirectedEdges there = as_tensors(edges, c10::Device(c10::kCUDA, 0));
  EXPECT_TRUE(at::equal(there.by_source, at::tensor({2, 0, 4, 1, 3, 5}, at::kLong)));
  EXPECT_TRUE(at::equal(there.first_by_source, at::tensor({0, 1, 3, 6, 6}, at::kLong)));
  EXPECT_TRUE(at::equal(there.first_here, there.first));
  EXPECT_FALSE(as_tensors(edges, c10::kCPU).by_source.defined());

  const ops::TensorProduct product(ops::Irreps::parse("3x0e + 2x1o"), 1, ops::Irreps::parse("5x0e + 2x1o"));
  MessageTensors tensors = problem(product, 4, {2, 2, 2, 0});
  tensors.edges = {there.source, there.target, there.first};
  const at::Tensor gradient = at::randn({4, product.out().width()});
  const MessageGradients own = message_backward_by_steps(product, tensors, gradient, true);
  tensors.edges = there;
  EXPECT_TRUE(at::equal(message_backward_by_steps(product, tensors, gradient, true).rows, own.rows));
}

TEST(HarmonicsByOperators, AreThoseOfTheKernels) {
  at::Tensor vectors = at::randn({40, 3});
  vectors[3].zero_();
  const at::Tensor expected = as_tensor(ops::spherical_harmonics(as_array(vectors), 3));
  EXPECT_LE(difference(harmonics_by_operators(vectors, 3), expected), 1e-6);
  const at::Tensor own = vectors.clone().requires_grad_(true), gradient = at::randn(expected.sizes());
  (harmonics_by_operators(own, 3) * gradient).sum().backward();
  const at::Tensor gradients =
      as_tensor(ops::spherical_harmonics_backward(as_array(vectors), 3, as_array(gradient)));
  for (const std::int64_t row : {0, 1, 2, 39}) {
    EXPECT_LE(difference(own.grad()[row], gradients[row]), 1e-5);
  }
  EXPECT_TRUE(at::isfinite(own.grad()).all().item<bool>()) << "also at a vector of length zero";
}

TEST(RadialByOperators, IsTheKernels) {
  const RadialTensors tensors{at::randn({70, 11}), at::randn({24, 11}), at::randn({24}),
                              at::randn({24, 24}) / 5, at::randn({24})};
  const ops::RadialArguments arguments{.edges = 70,
                                       .in = 11,
                                       .hidden = 24,
                                       .x = read_numbers<float>(tensors.x),
                                       .first_weight = read_numbers<float>(tensors.first_weight),
                                       .first_bias = read_numbers<float>(tensors.first_bias),
                                       .second_weight = read_numbers<float>(tensors.second_weight),
                                       .second_bias = read_numbers<float>(tensors.second_bias)};
  const at::Tensor expected = at::empty({70, 24}), gradient = at::randn({70, 24});
  ops::radial_network(arguments, write_numbers<float>(expected));
  const RadialNumbers numbers = radial_by_operators(tensors);
  EXPECT_LE(difference(numbers.radial, expected), 1e-5);
  const RadialTensors zeros{at::zeros_like(tensors.x), at::zeros_like(tensors.first_weight),
                            at::zeros_like(tensors.first_bias), at::zeros_like(tensors.second_weight),
                            at::zeros_like(tensors.second_bias)};
  ops::radial_network_backward(
      arguments, read_numbers<float>(gradient),
      {write_numbers<float>(zeros.x), write_numbers<float>(zeros.first_weight),
       write_numbers<float>(zeros.first_bias), write_numbers<float>(zeros.second_weight),
       write_numbers<float>(zeros.second_bias)});
  const RadialTensors gradients = radial_backward_by_operators(tensors, numbers, gradient, true);
  EXPECT_LE(difference(gradients.x, zeros.x), 1e-5);
  EXPECT_LE(difference(gradients.first_weight, zeros.first_weight), 1e-5);
  EXPECT_LE(difference(gradients.first_bias, zeros.first_bias), 1e-5);
  EXPECT_LE(difference(gradients.second_weight, zeros.second_weight), 1e-5);
  EXPECT_LE(difference(gradients.second_bias, zeros.second_bias), 1e-5);
  EXPECT_FALSE(radial_backward_by_operators(tensors, numbers, gradient, false).x.defined());
}

TEST(MessageBySteps, WithoutEdgesIsZero) {
  const ops::TensorProduct product(ops::Irreps::parse("4x0e + 2x1o"), 1, ops::Irreps::parse("6x0e + 2x1o"));
  const MessageTensors tensors = problem(product, 8, {0, 0});
  EXPECT_EQ(message_kernels(product, tensors).abs().max().item<float>(), 0);
}

TEST(MessageBySteps, AGpuComputesWhatTheHostDoes) {
  if (gpu_count() == 0) {
    GTEST_SKIP() << "no GPU";
  }
  std::vector<std::int64_t> counts(900, 6);
  counts[7] = 300;
  expect_the_kernels("32x0e + 16x1o + 8x2e", "56x0e + 16x1o + 8x2e", 2, 64, counts,
                     c10::Device(c10::kCUDA, 0));
}

/// Uses autograd to compute the gradients of a sum with respect to the rows, the harmonics, the radial
/// numbers of the edges, and the parameters of the network.
std::vector<at::Tensor> gradients_on(c10::Device device) {
  const auto product = std::make_shared<const ops::TensorProduct>(ops::Irreps::parse("8x0e + 4x1o"), 1,
                                                                  ops::Irreps::parse("12x0e + 4x1o"));
  const MessageTensors tensors = problem(*product, 16, {3, 0, 21, 5});
  at::manual_seed(11);
  std::vector<at::Tensor> leaves = {tensors.rows,       tensors.harmonics, at::randn({29, 7}),
                                    at::randn({16, 7}), at::randn({16}),   at::randn({16, 16}) / 4,
                                    at::randn({16}),    tensors.weight,    tensors.bias};
  for (at::Tensor& leaf : leaves) {
    leaf = leaf.to(device).requires_grad_(true);
  }
  const at::Tensor weights = at::randn({4, product->out().width()}).to(device);
  const at::Tensor out =
      equivariant_message(product, leaves[0], on(tensors, device).edges, leaves[1], leaves[2],
                          {{leaves[3], leaves[4]}, {leaves[5], leaves[6]}, {leaves[7], leaves[8]}});
  (out * weights).sum().backward();
  std::vector<at::Tensor> gradients = {out.detach().cpu()};
  for (const at::Tensor& leaf : leaves) {
    gradients.push_back(leaf.grad().cpu());
  }
  return gradients;
}

TEST(MessageBySteps, AGpuHasTheGradientsOfTheCpu) {
  if (gpu_count() == 0) {
    GTEST_SKIP() << "no GPU";
  }
  const std::vector<at::Tensor> there = gradients_on(c10::Device(c10::kCUDA, 0)),
                                here = gradients_on(c10::kCPU);
  for (std::size_t i = 0; i < here.size(); ++i) {
    EXPECT_LE(difference(there[i], here[i]), 1e-5) << i;
  }
}

}  // namespace
}  // namespace molgauge::torch
