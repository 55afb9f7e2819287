// Compares every operator on plain arrays with the same operator on LibTorch tensors.

#include "base/numerics/torch/operators.h"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "arrays.h"
#include "base/numerics/ops/operators.h"
#include "base/numerics/torch/arrays.h"
#include "base/numerics/torch/kernel_choice.h"
#include "base/numerics/torch/row_kernels.h"
#include "tensors.h"

namespace molgauge::torch {
namespace {

using Plain = ops::Operators;
using Reference = torch::Operators;

using test::floats_of;
using test::integers_of;
using test::random_edges;

constexpr double kTolerance = 1e-5;

/// Runs each test with the ATen operators, and with the kernels of GPUs.
class EveryOperator : public testing::TestWithParam<bool> {
 protected:
  EveryOperator() {
    if (GetParam()) {
      kernels_.emplace();
    }
  }

 private:
  std::optional<KernelsOnCpu> kernels_;
};
INSTANTIATE_TEST_SUITE_P(ByAten, EveryOperator, testing::Values(false));
INSTANTIATE_TEST_SUITE_P(ByKernels, EveryOperator, testing::Values(true));

/// NaN equals NaN, and infinity equals infinity.
void expect_close(const ops::Floats& plain, const at::Tensor& reference, double tolerance = kTolerance) {
  ASSERT_EQ(plain.shape(), reference.sizes().vec());
  const at::Tensor numbers = as_tensor(plain);
  EXPECT_TRUE(at::allclose(numbers, reference, tolerance, tolerance, /*equal_nan=*/true))
      << "the largest difference is " << (numbers - reference).abs().max().item<float>();
}

void expect_equal(const ops::Floats& plain, const at::Tensor& reference) {
  ASSERT_EQ(plain.shape(), reference.sizes().vec());
  EXPECT_TRUE(at::allclose(as_tensor(plain), reference, 0, 0, /*equal_nan=*/true));
}

/// A layer whose results are about as large as its input.
Linear random_linear(std::int64_t out, std::int64_t in) {
  return {at::randn({out, in}) / std::sqrt(in), at::randn({out})};
}
LayerNorm random_norm(std::int64_t width) { return {at::randn({width}), at::randn({width})}; }

ops::Linear plain(const Linear& linear) { return {floats_of(linear.weight), floats_of(linear.bias)}; }
ops::LayerNorm plain(const LayerNorm& normalization) {
  return {floats_of(normalization.weight), floats_of(normalization.bias)};
}

struct Denses {
  Denses(const Linear& linear, Activation activation)
      : plain(torch::plain(linear), activation), reference(linear, activation) {}
  Denses(const Linear& linear, const LayerNorm& normalization, Activation activation)
      : plain(torch::plain(linear), torch::plain(normalization), activation),
        reference(linear, normalization, activation) {}

  Plain::Dense plain;
  Reference::Dense reference;
};

void expect_the_same_layer(const Denses& dense, const at::Tensor& x) {
  const ops::Floats expected = dense.plain(floats_of(x));
  expect_close(expected, dense.reference(x));
  const at::Tensor residual = at::randn(expected.shape());
  expect_close(Plain::add_layer(floats_of(residual), dense.plain, floats_of(x)),
               Reference::add_layer(residual, dense.reference, x));
  expect_close(Plain::apply_scaled(dense.plain, floats_of(x), 0.5F),
               Reference::apply_scaled(dense.reference, x, 0.5));
}

TEST_P(EveryOperator, Dense) {
  const std::pair<std::int64_t, std::int64_t> widths[] = {{16, 24}, {336, 336}, {13, 29}, {2, 64}};
  for (const auto& [in, out] : widths) {
    for (const auto activation : {Activation::none, Activation::relu, Activation::gelu}) {
      const Denses without_norm(random_linear(out, in), activation);
      const Denses with_norm(random_linear(out, in), random_norm(out), activation);
      for (const at::Tensor& x : {at::randn({100, in}), at::randn({1, in}), at::randn({0, in}),
                                  at::randn({9, 8, in}), at::randn({in, 30}).t()}) {
        expect_the_same_layer(without_norm, x);
        expect_the_same_layer(with_norm, x);
      }
    }
  }
}

TEST_P(EveryOperator, DenseOfOneOutput) {
  for (const auto activation : {Activation::none, Activation::relu, Activation::gelu}) {
    const Denses dense(random_linear(1, 128), activation);
    expect_the_same_layer(dense, at::randn({50, 128}));
  }
}

TEST_P(EveryOperator, DensePassesNotANumberOn) {
  for (const auto activation : {Activation::none, Activation::relu, Activation::gelu}) {
    at::Tensor x = at::randn({3, 20});
    x[1][19] = std::numeric_limits<float>::quiet_NaN();
    expect_the_same_layer(Denses(random_linear(40, 20), activation), x);
    expect_the_same_layer(Denses(random_linear(40, 20), random_norm(40), activation), x);
  }
}

TEST_P(EveryOperator, LayerNormalisation) {
  for (const std::int64_t width : {13, 16, 336}) {
    const LayerNorm normalization = random_norm(width);
    for (const at::Tensor& x :
         {at::randn({50, width}), at::randn({1, width}), at::randn({0, width}), at::randn({4, 5, width})}) {
      expect_close(Plain::apply(plain(normalization), floats_of(x)), Reference::apply(normalization, x));
    }
  }
}

TEST_P(EveryOperator, MessagePassing) {
  for (const std::int64_t width : {1, 7, 128, 336}) {
    for (const std::int64_t edge_count : {0, 1, 120}) {
      const at::Tensor nodes = at::randn({50, width}), kinds = at::randn({4, width});
      const ops::Edges edges = random_edges(50, edge_count, 4);
      expect_close(ops::message_passing(floats_of(nodes), edges, floats_of(kinds)),
                   message_passing(nodes, as_tensors(edges), kinds), 1e-6);
    }
  }
}

TEST_P(EveryOperator, MessagePassingPassesNotANumberOn) {
  at::Tensor nodes = at::randn({50, 7});
  nodes[20][3] = std::numeric_limits<float>::quiet_NaN();
  const at::Tensor kinds = at::randn({4, 7});
  const ops::Edges edges = random_edges(50, 200, 4);
  expect_close(ops::message_passing(floats_of(nodes), edges, floats_of(kinds)),
               message_passing(nodes, as_tensors(edges), kinds));
}

/// Tests numbers of nodes that fill complete blocks of the kernels, and slightly different numbers.
TEST_P(EveryOperator, GineLayer) {
  const Denses hidden(random_linear(20, 20), random_norm(20), Activation::gelu);
  const Denses out(random_linear(33, 20), random_norm(33), Activation::gelu);
  const Denses plain_out(random_linear(33, 20), Activation::none);
  for (const std::int64_t node_count : {0, 1, 48, 130}) {
    const at::Tensor nodes = at::randn({node_count, 20}), kinds = at::randn({2, 20});
    const ops::Edges edges = random_edges(node_count, 2 * node_count, 2);
    const Edges of_tensors = as_tensors(edges);
    for (const Denses* const last : {&out, &plain_out}) {
      expect_close(
          Plain::gine_layer(floats_of(nodes), edges, floats_of(kinds), hidden.plain, last->plain,
                            ops::Floats()),
          Reference::gine_layer(nodes, of_tensors, kinds, hidden.reference, last->reference, at::Tensor()));

      const at::Tensor residual = at::randn({node_count, 33});
      const at::Tensor before = residual.clone();
      ops::Floats taken = floats_of(residual);
      const float* const memory = taken.data();
      const ops::Floats sum = Plain::gine_layer(floats_of(nodes), edges, floats_of(kinds), hidden.plain,
                                                last->plain, std::move(taken));
      expect_close(
          sum, Reference::gine_layer(nodes, of_tensors, kinds, hidden.reference, last->reference, residual));
      EXPECT_EQ(sum.data(), memory) << "the result replaces the residual";
      EXPECT_TRUE(at::equal(residual, before)) << "the reference does not change it";
    }
  }
}

/// Sets of segments with many sizes. Some segments are empty, including segments at the ends of a set. One
/// set has no segments, and one set has no rows.
std::vector<std::vector<std::int64_t>> all_sizes() {
  return {{5, 1, 0, 12, 33}, {0, 3, 0, 0, 7, 0}, {51}, {0, 0}, {}};
}

at::Tensor random_rows(const ops::Segments& segments, std::int64_t width) {
  return at::randn({segments.of.count(), width});
}

TEST_P(EveryOperator, Segments) {
  for (const std::vector<std::int64_t>& sizes : all_sizes()) {
    const ops::Segments segments = ops::make_segments(sizes);
    const Segments of_tensors = on_device(segments, c10::kCPU);
    ASSERT_EQ(segments.count(), of_tensors.count());
    for (const std::int64_t width : {1, 13, 336}) {
      const at::Tensor rows = random_rows(segments, width);
      const at::Tensor addends = at::randn({segments.count(), width});
      expect_close(Plain::segment_sum(floats_of(rows), segments), Reference::segment_sum(rows, of_tensors));
      const at::Tensor factors = at::randn({segments.count(), 1});
      expect_close(Plain::add_segment_sums(floats_of(addends), floats_of(rows), segments, floats_of(factors)),
                   Reference::add_segment_sums(addends, rows, of_tensors, factors));
      expect_equal(Plain::segment_max(floats_of(rows), segments), Reference::segment_max(rows, of_tensors));
      expect_equal(Plain::add_to_segments(floats_of(rows), floats_of(addends), segments),
                   Reference::add_to_segments(rows, addends, of_tensors));
    }
  }
}

TEST_P(EveryOperator, SegmentsPassNotANumberOn) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const ops::Segments segments = ops::make_segments({3, 0, 3, 2});
  const Segments of_tensors = on_device(segments, c10::kCPU);
  for (std::int64_t row = 0; row < 8; ++row) {
    at::Tensor rows = at::randn({8, 5});
    rows[row][2] = nan;
    rows[(row + 1) % 8][3] = infinity;
    rows[(row + 2) % 8][4] = -infinity;
    at::Tensor addends = at::randn({4, 5});
    addends[row % 4][0] = nan;
    expect_close(Plain::segment_sum(floats_of(rows), segments), Reference::segment_sum(rows, of_tensors));
    expect_equal(Plain::segment_max(floats_of(rows), segments), Reference::segment_max(rows, of_tensors));
    expect_equal(Plain::add_to_segments(floats_of(rows), floats_of(addends), segments),
                 Reference::add_to_segments(rows, addends, of_tensors));
  }
}

TEST_P(EveryOperator, AddAndScale) {
  const std::vector<std::vector<std::int64_t>> shapes = {{7, 13}, {0, 13}, {3, 4, 5}};
  for (const std::vector<std::int64_t>& shape : shapes) {
    const at::Tensor a = at::randn(shape), b = at::randn(shape);
    expect_equal(Plain::add(floats_of(a), floats_of(b)), Reference::add(a, b));
    expect_close(Plain::scale(floats_of(a), 0.1F), Reference::scale(a, 0.1));
    expect_close(Plain::scale(floats_of(a), -3), Reference::scale(a, -3));
  }
}

TEST(NormKernel, ReadsAllTypesAndAddsTheBias) {
  const KernelsOnCpu kernels;
  const LayerNorm normalization = random_norm(70);
  const at::Tensor bias = at::randn({70}), residual = at::randn({19, 70});
  at::Tensor x = 100 + at::randn({19, 70});
  x[3][5] = 1e-6F;  // subnormal in float16
  x[4][6] = std::numeric_limits<float>::infinity();
  for (const auto type : {at::kFloat, at::kHalf, at::kBFloat16}) {
    const at::Tensor rounded = x.to(type), kept = rounded.clone();
    const at::Tensor expected =
        residual + at::gelu(apply(normalization, kept.to(at::kDouble).to(at::kFloat) + bias));
    EXPECT_TRUE(at::allclose(norm_kernel(rounded, bias, normalization, 1e-5, Activation::gelu, residual),
                             expected, 1e-4, 1e-4, /*equal_nan=*/true))
        << type;
  }
}

TEST(NormKernel, ARowDoesNotDependOnOthers) {
  const KernelsOnCpu kernels;
  const LayerNorm normalization = random_norm(336);
  const at::Tensor x = at::randn({50, 336});
  const auto norm = [&](const at::Tensor& rows) {
    return norm_kernel(rows.clone(), {}, normalization, 1e-5, Activation::relu, {});
  };
  EXPECT_TRUE(at::equal(norm(x).slice(0, 13, 14), norm(x.slice(0, 13, 14))));
}

TEST_P(EveryOperator, JoinColumns) {
  for (const std::int64_t rows : {0, 1, 50}) {
    const at::Tensor a = at::randn({rows, 13}), b = at::randn({rows, 4});
    expect_equal(Plain::join_columns(floats_of(a), floats_of(b)), Reference::join_columns(a, b));
    expect_equal(Plain::join_columns(floats_of(b), floats_of(a)), Reference::join_columns(b, a));
  }
}

TEST_P(EveryOperator, PairUp) {
  for (const std::int64_t rows : {0, 1, 50}) {
    const at::Tensor a = at::randn({rows, 8}), b = at::randn({rows, 8});
    expect_equal(Plain::pair_up(floats_of(a), floats_of(b)), Reference::pair_up(a, b));
  }
}

TEST_P(EveryOperator, MeanOverSecond) {
  for (const std::int64_t rows : {0, 1, 50}) {
    for (const std::int64_t middle : {1, 2, 8, 33}) {
      const at::Tensor x = at::randn({rows, middle, 13});
      expect_close(Plain::mean_over_second(floats_of(x)), Reference::mean_over_second(x));
    }
  }
}

TEST_P(EveryOperator, SelectRows) {
  const at::Tensor table = at::randn({11, 13});
  for (const std::int64_t count : {0, 1, 50}) {
    const at::Tensor numbers = at::randint(11, {count}, at::kLong);
    expect_equal(Plain::select_rows(floats_of(table), integers_of(numbers)),
                 Reference::select_rows(table, numbers));
  }
}

TEST_P(EveryOperator, Zeros) {
  const at::Tensor like = at::randn({2, 2});
  for (const std::int64_t rows : {0, 1, 50}) {
    expect_equal(Plain::zeros(rows, 13, floats_of(like)), Reference::zeros(rows, 13, like));
  }
}

}  // namespace
}  // namespace molgauge::torch
