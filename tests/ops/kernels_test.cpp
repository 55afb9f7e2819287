#include <cmath>
#include <cstdlib>
#include <limits>

#include <ATen/ATen.h>
#include <gmock/gmock.h>

#include "arrays.h"
#include "core/error.h"
#include "levels.h"
#include "ops/cpu/packed_layer.h"
#include "ops/graph.h"
#include "torch/graph.h"
#include "torch/layers.h"
#include "torch/torch_compatibility.h"

namespace headroom::ops::cpu {
namespace {

using torch::read_numbers;
using torch::write_numbers;

constexpr double kTolerance = 1e-5;

double largest_difference(const at::Tensor& left, const at::Tensor& right) {
  return left.numel() == 0 ? 0.0 : (left - right).abs().max().item<double>();
}

/// A layer, rows that go in, rows that the result is added to.
struct Case {
  Case(std::int64_t rows, std::int64_t in, std::int64_t out, Activation chosen, bool normalize)
      : x(at::randn({rows, in})),
        linear{at::randn({out, in}) / std::sqrt(in), at::randn({out})},
        norm{at::randn({out}), at::randn({out})},
        before(at::randn({rows, out})),
        activation(chosen),
        normalized(normalize) {}

  PlainLayer plain() const {
    return {.in = x.size(1),
            .out = linear.weight.size(0),
            .weight = read_numbers<float>(linear.weight),
            .bias = read_numbers<float>(linear.bias),
            .norm_weight = normalized ? read_numbers<float>(norm.weight) : nullptr,
            .norm_bias = normalized ? read_numbers<float>(norm.bias) : nullptr,
            .activation = activation};
  }

  /// By ATen, with other inputs and weights where they are rounded.
  at::Tensor reference(const at::Tensor& numbers, const at::Tensor& weight) const {
    const at::Tensor y = torch::apply(torch::Linear{weight, linear.bias}, numbers);
    return torch::apply(activation, normalized ? torch::apply(norm, y) : y);
  }

  at::Tensor run(const Kernels& kernels, Precision precision, bool add) const {
    const PackedLayer packed(plain(), precision, kernels);
    at::Tensor y = before.clone();
    DenseScratch& scratch = dense_scratch(std::max(x.size(1), y.size(1)));
    kernels.dense(packed.layer(), read_numbers<float>(x), x.size(0), scratch.rounded(), scratch.product(),
                  add, write_numbers<float>(y));
    return y;
  }

  at::Tensor x;
  torch::Linear linear;
  torch::LayerNorm norm;
  at::Tensor before;
  Activation activation;
  bool normalized;
};

/// Whole tiles and panels, and every kind of remainder. No norm is over a few numbers, which may be so nearly
/// equal that it magnifies any rounding.
std::vector<Case> cases() {
  at::manual_seed(2026);
  std::vector<Case> all;
  for (const auto activation : {Activation::none, Activation::relu, Activation::gelu}) {
    for (const bool normalize : {false, true}) {
      all.emplace_back(48, 336, 336, activation, normalize);
      all.emplace_back(7, 13, 29, activation, normalize);
      all.emplace_back(1, 1, 1, activation, normalize);
    }
  }
  for (std::int64_t rows = 0; rows <= 17; ++rows) {
    all.emplace_back(rows, 16 + rows, 2 * rows + 31, Activation::gelu, true);
  }
  return all;
}

using DenseKernel = EveryLevel;

TEST_P(DenseKernel, EqualsTheReference) {
  for (const Case& layer : cases()) {
    const at::Tensor expected = layer.reference(layer.x, layer.linear.weight);
    EXPECT_LE(largest_difference(layer.run(kernels(), Precision::fp32, false), expected), kTolerance);
    EXPECT_LE(largest_difference(layer.run(kernels(), Precision::fp32, true), layer.before + expected),
              kTolerance);
  }
}

TEST_P(DenseKernel, InBfloat16EqualsTheReferenceOnRoundedNumbers) {
  const auto rounded = [](const at::Tensor& numbers) { return numbers.to(at::kBFloat16).to(at::kFloat); };
  for (const Case& layer : cases()) {
    EXPECT_LE(largest_difference(layer.run(kernels(), Precision::bf16, false),
                                 layer.reference(rounded(layer.x), rounded(layer.linear.weight))),
              kTolerance);
  }
}

TEST_P(DenseKernel, InIntegersIsExactOnNumbersThatAreIntegersOfTheirRow) {
  for (Case& layer : cases()) {
    for (at::Tensor* const rows : {&layer.x, &layer.linear.weight}) {
      *rows = at::randint(-127, 128, rows->sizes(), at::kFloat);
      rows->select(1, 0).fill_(127.0F);
      *rows = *rows / 1024.0F;
    }
    EXPECT_LE(largest_difference(layer.run(kernels(), Precision::int8, false),
                                 layer.reference(layer.x, layer.linear.weight)),
              kTolerance);
  }
}

TEST_P(DenseKernel, InIntegersIsCloseOnAnyNumbers) {
  const Case layer(48, 336, 336, Activation::none, false);
  const at::Tensor expected = layer.reference(layer.x, layer.linear.weight);
  const at::Tensor error = layer.run(kernels(), Precision::int8, false) - expected;
  EXPECT_LE(error.norm().item<double>(), 0.02 * expected.norm().item<double>());
}

TEST_P(DenseKernel, InIntegersTakesRowsAndWeightsOfZeros) {
  Case layer(2, 8, 8, Activation::none, false);
  layer.x[0].zero_();
  layer.linear.weight[3].zero_();
  const at::Tensor y = layer.run(kernels(), Precision::int8, false);
  EXPECT_TRUE(at::equal(y[0], layer.linear.bias));
  EXPECT_EQ(y[1][3].item<float>(), layer.linear.bias[3].item<float>());
}

TEST_P(DenseKernel, InIntegersTakesNumbersTooSmallToScale) {
  Case layer(1, 8, 8, Activation::none, false);
  layer.x.fill_(1e-40F);
  EXPECT_TRUE(at::allclose(layer.run(kernels(), Precision::int8, false)[0], layer.linear.bias, 0, 1e-6));
}

TEST_P(DenseKernel, GeluIsThatOfTheReferenceFarFromZeroToo) {
  Case layer(1, 1, 4001, Activation::gelu, false);
  layer.x.fill_(1.0F);
  layer.linear = {at::linspace(-12, 12, 4001).reshape({4001, 1}), at::zeros({4001})};
  const at::Tensor y = layer.run(kernels(), Precision::fp32, false);
  EXPECT_LE(largest_difference(y, layer.reference(layer.x, layer.linear.weight)), 2e-6);
}

TEST_P(DenseKernel, ANotANumberIsNeverHidden) {
  for (const auto activation : {Activation::none, Activation::relu, Activation::gelu}) {
    for (const auto precision : {Precision::fp32, Precision::bf16, Precision::int8}) {
      Case layer(3, 20, 40, activation, true);
      layer.x[1][19] = std::numeric_limits<float>::quiet_NaN();
      const at::Tensor y = layer.run(kernels(), precision, false);
      EXPECT_TRUE(at::isnan(y[1]).all().item<bool>());
      EXPECT_FALSE(at::isnan(y[0]).any().item<bool>());
      EXPECT_FALSE(at::isnan(y[2]).any().item<bool>());
    }
  }
}

using RowKernels = EveryLevel;

TEST_P(RowKernels, MessagePassingOfSomeNodesEqualsTheReference) {
  for (const std::int64_t width : {1, 13, 336}) {
    const at::Tensor nodes = at::randn({40, width}), kinds = at::randn({3, width});
    const Edges edges = test::random_edges(40, 90, 3);
    const MessagePassing graph{.nodes = read_numbers<float>(nodes),
                               .kinds = read_numbers<float>(kinds),
                               .source = edges.source.data(),
                               .kind = edges.kind.data(),
                               .first = edges.first.data(),
                               .width = width};
    at::Tensor some = at::empty({25, width});
    kernels().message_passing(graph, 10, 35, write_numbers<float>(some));
    const at::Tensor expected = torch::message_passing(nodes, torch::on_device(edges, c10::kCPU), kinds);
    EXPECT_LE(largest_difference(some, expected.slice(0, 10, 35)), kTolerance);
  }
}

TEST_P(RowKernels, SegmentsEqualTheReferences) {
  const Segments segments = make_segments({5, 1, 0, 12, 33});
  const torch::Segments of_tensors = torch::on_device(segments, c10::kCPU);
  for (const std::int64_t width : {1, 13, 336}) {
    const at::Tensor rows = at::randn({51, width}), addends = at::randn({5, width});
    const Runs runs{.first = segments.first.data(), .count = 5, .width = width};
    at::Tensor sums = at::empty({5, width}), largest = at::empty({5, width}), moved = at::empty({51, width});
    kernels().segment_sum(read_numbers<float>(rows), runs, write_numbers<float>(sums));
    kernels().segment_max(read_numbers<float>(rows), runs, write_numbers<float>(largest));
    kernels().add_to_segments(read_numbers<float>(rows), read_numbers<float>(addends), runs,
                              write_numbers<float>(moved));
    EXPECT_LE(largest_difference(sums, torch::segment_sum(rows, of_tensors)), kTolerance);
    EXPECT_TRUE(at::equal(largest, torch::segment_max(rows, of_tensors)));
    EXPECT_TRUE(at::equal(moved, torch::add_to_segments(rows, addends, of_tensors)));
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, DenseKernel, ::testing::ValuesIn(tested_levels()), level_name);
INSTANTIATE_TEST_SUITE_P(Levels, RowKernels, ::testing::ValuesIn(tested_levels()), level_name);

TEST(InstructionLevel, TheChosenOneIsTheHighestUnlessTheVariableSaysSo) {
  const char* const wanted = std::getenv("HEADROOM_CPU_LEVEL");
  if (wanted != nullptr && *wanted != '\0') {
    EXPECT_STREQ(to_string(chosen_level()), wanted);
    return;
  }
  for (const InstructionLevel level : compiled_levels()) {
    EXPECT_TRUE(!is_supported(level) || level <= chosen_level());
  }
  EXPECT_TRUE(is_supported(chosen_level()));
}

TEST(InstructionLevelDeathTest, AVariableThatNamesNoLevelIsRefused) {
  // In a process of its own, for the level is chosen once.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto refused_with_advice = [] {
    setenv("HEADROOM_CPU_LEVEL", "avx9", 1);
    try {
      chosen_level();
    } catch (const UsageError& error) {
      const std::string text = error.what();
      std::_Exit(text.find("HEADROOM_CPU_LEVEL=avx9: this CPU has the levels generic") == 0 ? 0 : 1);
    }
    std::_Exit(2);
  };
  EXPECT_EXIT(refused_with_advice(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace headroom::ops::cpu
