// Compares every kernel at every level with a plain reference in float64.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>

#include "arrays.h"
#include "base/core/error.h"
#include "base/numerics/ops/cpu/packed_layer.h"
#include "base/numerics/ops/graph.h"
#include "levels.h"

namespace molgauge::ops::cpu {
namespace {

using test::normal_floats;

constexpr double kTolerance = 1e-5;

using Numbers = std::vector<double>;

/// NaN if one of the differences is NaN. NaN exceeds every tolerance.
double largest_difference(const Floats& found, const Numbers& expected) {
  EXPECT_EQ(static_cast<std::size_t>(found.count()), expected.size());
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double difference = std::abs(static_cast<double>(found.data()[i]) - expected[i]);
    if (std::isnan(difference)) {
      return difference;
    }
    largest = std::max(largest, difference);
  }
  return largest;
}

double activate(Activation activation, double x) {
  switch (activation) {
    case Activation::relu:
      return std::max(x, 0.0);
    case Activation::gelu:
      return x * 0.5 * (1 + std::erf(x * std::sqrt(0.5)));
    case Activation::none:
      break;
  }
  return x;
}

/// Rounds to nearest even by arithmetic. bfloat16 has 8 significant bits.
float rounded_to_bfloat16(float number) {
  int exponent = 0;
  const double mantissa = std::frexp(static_cast<double>(number), &exponent);
  return static_cast<float>(std::ldexp(std::nearbyint(std::ldexp(mantissa, 8)), exponent - 8));
}

Floats rounded_to_bfloat16(const Floats& numbers) {
  Floats rounded(numbers.shape());
  std::transform(numbers.data(), numbers.data() + numbers.count(), rounded.data(),
                 [](float number) { return rounded_to_bfloat16(number); });
  return rounded;
}

/// A layer, its input rows, and the rows to which the result is added.
struct Case {
  Case(std::int64_t rows, std::int64_t in, std::int64_t out, Activation chosen, bool normalize)
      : x(normal_floats({rows, in})),
        weight(normal_floats({out, in}, 1 / std::sqrt(static_cast<double>(in)))),
        bias(normal_floats({out})),
        norm_weight(normal_floats({out})),
        norm_bias(normal_floats({out})),
        before(normal_floats({rows, out})),
        activation(chosen),
        normalized(normalize) {}

  PlainLayer plain() const {
    return {.in = x.width(),
            .out = bias.width(),
            .weight = weight.data(),
            .bias = bias.data(),
            .norm_weight = normalized ? norm_weight.data() : nullptr,
            .norm_bias = normalized ? norm_bias.data() : nullptr,
            .activation = activation};
  }

  /// Computes the layer with these inputs and weights, which may be rounded.
  Numbers reference(const Floats& numbers, const Floats& weights) const {
    constexpr double kEpsilon = 1e-5;
    const std::int64_t in = x.width(), out = bias.width();
    Numbers results;
    for (std::int64_t row = 0; row < x.rows(); ++row) {
      Numbers y(static_cast<std::size_t>(out));
      double mean = 0, variance = 0;
      for (std::int64_t column = 0; column < out; ++column) {
        double sum = bias.data()[column];
        for (std::int64_t k = 0; k < in; ++k) {
          sum += static_cast<double>(numbers.data()[row * in + k]) * weights.data()[column * in + k];
        }
        y[static_cast<std::size_t>(column)] = sum;
        mean += sum / static_cast<double>(out);
      }
      for (const double number : y) {
        variance += (number - mean) * (number - mean) / static_cast<double>(out);
      }
      for (std::int64_t column = 0; column < out; ++column) {
        double number = y[static_cast<std::size_t>(column)];
        if (normalized) {
          number = (number - mean) / std::sqrt(variance + kEpsilon) * norm_weight.data()[column] +
                   norm_bias.data()[column];
        }
        results.push_back(activate(activation, number));
      }
    }
    return results;
  }
  Numbers reference() const { return reference(x, weight); }
  /// The norm of a single number divides by the root of epsilon. It therefore makes any rounding error
  /// larger.
  double tolerance() const { return normalized && bias.width() == 1 ? 2e-4 : kTolerance; }

  Floats run(const Kernels& kernels, Precision precision, bool add) const {
    const PackedLayer packed(plain(), precision, kernels);
    Floats y = test::rows_of(before, 0, before.rows());
    DenseScratch& scratch = dense_scratch(std::max(x.width(), y.width()));
    kernels.dense(packed.layer(), x.data(), x.rows(), scratch.rounded(), scratch.product(), add, y.data());
    return y;
  }

  Floats x, weight, bias, norm_weight, norm_bias, before;
  Activation activation;
  bool normalized;
};

/// Covers complete tiles and panels, and every kind of remainder.
std::vector<Case> cases() {
  test::generator().seed(2026);  // every level gets the same numbers
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
    Numbers expected = layer.reference();
    EXPECT_LE(largest_difference(layer.run(kernels(), Precision::fp32, false), expected), layer.tolerance());
    std::transform(expected.begin(), expected.end(), layer.before.data(), expected.begin(), std::plus<>());
    EXPECT_LE(largest_difference(layer.run(kernels(), Precision::fp32, true), expected), layer.tolerance());
  }
}

TEST_P(DenseKernel, InBfloat16EqualsTheReferenceOnRoundedNumbers) {
  for (const Case& layer : cases()) {
    EXPECT_LE(
        largest_difference(layer.run(kernels(), Precision::bf16, false),
                           layer.reference(rounded_to_bfloat16(layer.x), rounded_to_bfloat16(layer.weight))),
        layer.tolerance());
  }
}

/// Sets the numbers to integers from -127 to 127, divided by 1024. The first number of each row is the
/// largest.
void make_integers_of_their_row(Floats& rows) {
  const std::vector<std::int64_t> integers = test::whole_numbers(rows.count(), 255);
  for (std::int64_t i = 0; i < rows.count(); ++i) {
    const auto integer = i % rows.width() == 0 ? 127 : integers[static_cast<std::size_t>(i)] - 127;
    rows.data()[i] = static_cast<float>(integer) / 1024.0F;
  }
}

TEST_P(DenseKernel, InIntegersIsExactOnNumbersThatAreIntegersOfTheirRow) {
  for (Case& layer : cases()) {
    make_integers_of_their_row(layer.x);
    make_integers_of_their_row(layer.weight);
    EXPECT_LE(largest_difference(layer.run(kernels(), Precision::int8, false), layer.reference()),
              layer.tolerance());
  }
}

TEST_P(DenseKernel, InIntegersIsCloseOnAnyNumbers) {
  const Case layer(48, 336, 336, Activation::none, false);
  const Numbers expected = layer.reference();
  const Floats found = layer.run(kernels(), Precision::int8, false);
  double error = 0, size = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    error += std::pow(found.data()[i] - expected[i], 2);
    size += std::pow(expected[i], 2);
  }
  EXPECT_LE(std::sqrt(error), 0.02 * std::sqrt(size));
}

TEST_P(DenseKernel, InIntegersTakesRowsAndWeightsOfZeros) {
  Case layer(2, 8, 8, Activation::none, false);
  std::fill_n(layer.x.data(), 8, 0.0F);
  std::fill_n(layer.weight.data() + 3 * 8, 8, 0.0F);
  const Floats y = layer.run(kernels(), Precision::int8, false);
  for (int column = 0; column < 8; ++column) {
    EXPECT_EQ(y.data()[column], layer.bias.data()[column]);
  }
  EXPECT_EQ(y.data()[8 + 3], layer.bias.data()[3]);
}

TEST_P(DenseKernel, InIntegersTakesNumbersTooSmallToScale) {
  Case layer(1, 8, 8, Activation::none, false);
  std::fill_n(layer.x.data(), 8, 1e-40F);
  const std::vector<float> bias = test::values_of(layer.bias);
  EXPECT_LE(largest_difference(layer.run(kernels(), Precision::int8, false), {bias.begin(), bias.end()}),
            1e-6);
}

TEST_P(DenseKernel, GeluIsThatOfTheReferenceFarFromZeroToo) {
  constexpr std::int64_t kCount = 4001;
  Case layer(1, 1, kCount, Activation::gelu, false);
  layer.x.data()[0] = 1.0F;
  for (std::int64_t i = 0; i < kCount; ++i) {
    layer.weight.data()[i] = -12.0F + 24.0F * static_cast<float>(i) / (kCount - 1);
    layer.bias.data()[i] = 0.0F;
  }
  EXPECT_LE(largest_difference(layer.run(kernels(), Precision::fp32, false), layer.reference()), 2e-6);
}

TEST_P(DenseKernel, ANotANumberIsNeverHidden) {
  for (const auto activation : {Activation::none, Activation::relu, Activation::gelu}) {
    for (const auto precision : {Precision::fp32, Precision::bf16, Precision::int8}) {
      Case layer(3, 20, 40, activation, true);
      layer.x.data()[1 * 20 + 19] = std::numeric_limits<float>::quiet_NaN();
      const Floats y = layer.run(kernels(), precision, false);
      for (std::int64_t i = 0; i < y.count(); ++i) {
        EXPECT_EQ(std::isnan(y.data()[i]), i / 40 == 1) << to_string(precision) << ' ' << i;
      }
    }
  }
}

using RowKernels = EveryLevel;

Numbers messages_passed(const Floats& nodes, const Edges& edges, const Floats& kinds) {
  const std::vector<float> own = test::values_of(nodes);
  Numbers sums(own.begin(), own.end());
  const std::int64_t width = nodes.width();
  for (std::int64_t edge = 0; edge < edges.target.count(); ++edge) {
    for (std::int64_t i = 0; i < width; ++i) {
      const double message = static_cast<double>(nodes.data()[edges.source.data()[edge] * width + i]) +
                             kinds.data()[edges.kind.data()[edge] * width + i];
      sums[static_cast<std::size_t>(edges.target.data()[edge] * width + i)] += std::max(message, 0.0);
    }
  }
  return sums;
}

TEST_P(RowKernels, MessagePassingOfSomeNodesEqualsTheReference) {
  for (const std::int64_t width : {1, 13, 336}) {
    const Floats nodes = normal_floats({40, width}), kinds = normal_floats({3, width});
    const Edges edges = test::random_edges(40, 90, 3);
    const MessagePassing graph{.nodes = nodes.data(),
                               .kinds = kinds.data(),
                               .source = edges.source.data(),
                               .kind = edges.kind.data(),
                               .first = edges.first.data(),
                               .width = width};
    Floats some{25, width};
    kernels().message_passing(graph, 10, 35, some.data());
    const Numbers all = messages_passed(nodes, edges, kinds);
    EXPECT_LE(largest_difference(some, {all.begin() + 10 * width, all.begin() + 35 * width}), kTolerance);
  }
}

TEST_P(RowKernels, SegmentsEqualTheReferences) {
  const Segments segments = make_segments({5, 1, 0, 12, 33});
  constexpr double kLowest = -std::numeric_limits<double>::infinity();
  for (const std::int64_t width : {1, 13, 336}) {
    const Floats rows = normal_floats({51, width}), addends = normal_floats({5, width});
    const Runs runs{.first = segments.first.data(), .count = 5, .width = width};
    Floats sums{5, width}, largest{5, width}, moved{51, width};
    kernels().segment_sum(rows.data(), runs, sums.data());
    kernels().segment_max(rows.data(), runs, largest.data());
    kernels().add_to_segments(rows.data(), addends.data(), runs, moved.data());
    Numbers expected_sums(static_cast<std::size_t>(5 * width));
    std::vector<double> expected_largest(expected_sums.size(), kLowest);
    for (std::int64_t i = 0; i < rows.count(); ++i) {
      const std::int64_t place = segments.of.data()[i / width] * width + i % width;
      const float number = rows.data()[i];
      expected_sums[static_cast<std::size_t>(place)] += number;
      double& most = expected_largest[static_cast<std::size_t>(place)];
      most = std::max(most, static_cast<double>(number));
      EXPECT_EQ(moved.data()[i], number + addends.data()[place]);
    }
    EXPECT_LE(largest_difference(sums, expected_sums), kTolerance);
    for (std::size_t i = 0; i < expected_largest.size(); ++i) {
      EXPECT_EQ(static_cast<double>(largest.data()[i]), expected_largest[i]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, DenseKernel, ::testing::ValuesIn(tested_levels()), level_name);
INSTANTIATE_TEST_SUITE_P(Levels, RowKernels, ::testing::ValuesIn(tested_levels()), level_name);

TEST(InstructionLevel, TheChosenOneIsTheHighestUnlessTheVariableSaysSo) {
  const char* const wanted = std::getenv("MOLGAUGE_CPU_LEVEL");
  if (wanted != nullptr && *wanted != '\0') {
    EXPECT_STREQ(to_string(chosen_level()), wanted);
    return;
  }
  for (const InstructionLevel level : compiled_levels()) {
    EXPECT_TRUE(!is_supported(level) || !pays_off(level) || level <= chosen_level());
  }
  EXPECT_TRUE(is_supported(chosen_level()) && pays_off(chosen_level()));
}

/// The kind of numbers that a layer packs into 32 bits shows which instructions the level uses.
TEST(InstructionLevel, EachMultipliesTheNumbersThatItIsNamedAfter) {
  using enum InstructionLevel;
  for (const InstructionLevel level : compiled_levels()) {
    const bool multiplies_bf16 = level == avx512_bf16 || level == amx || level == neon_bf16;
    EXPECT_EQ(kernels_of(level).bf16_group, multiplies_bf16 ? Group::two_bfloat16 : Group::one_float32)
        << to_string(level);
    const bool multiplies_bytes =
        level == avx2_vnni || level == avx512_vnni || level == avx512_bf16 || level == amx;
    EXPECT_EQ(kernels_of(level).int8_group, multiplies_bytes ? Group::four_bytes
                                            : level == neon_dot || level == neon_bf16
                                                ? Group::four_signed_bytes
                                                : Group::two_integers)
        << to_string(level);
  }
}

TEST(InstructionLevel, OneOfAnotherArchitectureIsNotSupported) {
  const std::vector<InstructionLevel> compiled = compiled_levels();
  for (const InstructionLevel level : {InstructionLevel::avx2, InstructionLevel::neon}) {
    if (std::find(compiled.begin(), compiled.end(), level) == compiled.end()) {
      EXPECT_FALSE(is_supported(level));
      EXPECT_THROW(kernels_of(level), std::logic_error);
    }
  }
}

TEST(InstructionLevelDeathTest, AVariableThatNamesNoLevelIsRefused) {
  // The test runs in a separate process, because a process chooses its level only once.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto refused_with_advice = [] {
    setenv("MOLGAUGE_CPU_LEVEL", "avx9", 1);
    try {
      chosen_level();
    } catch (const UsageError& error) {
      const std::string text = error.what();
      std::_Exit(text.find("MOLGAUGE_CPU_LEVEL=avx9: this CPU has the levels generic") == 0 ? 0 : 1);
    }
    std::_Exit(2);
  };
  EXPECT_EXIT(refused_with_advice(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace molgauge::ops::cpu
