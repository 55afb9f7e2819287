// Tests that each row of a result is bit-identical if it is computed alone, or at any position in a block of
// any size.

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "arrays.h"
#include "base/numerics/ops/cpu/packed_layer.h"
#include "base/numerics/ops/dense.h"
#include "base/numerics/ops/graph.h"
#include "levels.h"

namespace molgauge::ops {
namespace {

using test::rows_of;
using test::uneven_floats;

bool same_bytes(const Floats& one, const Floats& other) {
  return one.shape() == other.shape() && std::memcmp(one.data(), other.data(), one.bytes()) == 0;
}

struct Shape {
  std::int64_t in, out;
};

/// The sizes of MiniMol and of the last layer of an energy head, and sizes that are not multiples of the
/// vector width.
constexpr Shape kShapes[] = {{336, 336}, {128, 1}, {13, 29}, {2, 64}};

}  // namespace

namespace cpu {
namespace {

using SameRows = EveryLevel;

/// Runs a packed layer. The rows may begin at any address in memory.
Floats run(const Kernels& kernels, const PackedLayer& packed, const float* x, std::int64_t rows, bool add) {
  Floats y{rows, packed.layer().out};
  std::fill_n(y.data(), y.count(), 0.25F);
  DenseScratch& scratch = dense_scratch(std::max(packed.layer().in, packed.layer().out));
  kernels.dense(packed.layer(), x, rows, scratch.rounded(), scratch.product(), add, y.data());
  return y;
}

TEST_P(SameRows, OfADenseLayer) {
  for (const auto& [in, out] : kShapes) {
    const Floats x = uneven_floats({kBlockRows, in}), weight = uneven_floats({out, in}),
                 numbers = uneven_floats({3, out});
    for (const auto precision : {Precision::fp32, Precision::bf16, Precision::int8}) {
      for (const bool whole : {false, true}) {  // whether to add normalisation, activation and sum
        const PackedLayer packed({.in = in,
                                  .out = out,
                                  .weight = weight.data(),
                                  .bias = numbers.data(),
                                  .norm_weight = whole ? numbers.data() + out : nullptr,
                                  .norm_bias = whole ? numbers.data() + 2 * out : nullptr,
                                  .activation = whole ? Activation::gelu : Activation::none},
                                 precision, kernels());
        const Floats expected = run(kernels(), packed, x.data(), kBlockRows, whole);
        const std::int64_t step = in * out > 10'000 ? 5 : 1;  // emulated levels are slow
        for (std::int64_t rows = 1; rows <= kBlockRows; rows += step) {
          for (const std::int64_t first : {std::int64_t{0}, (kBlockRows - rows) / 2, kBlockRows - rows}) {
            ASSERT_TRUE(same_bytes(run(kernels(), packed, x.data() + first * in, rows, whole),
                                   rows_of(expected, first, rows)))
                << to_string(precision) << ' ' << in << " to " << out << ": rows " << first << " and "
                << rows;
          }
        }
      }
    }
  }
}

TEST_P(SameRows, OfMessagesAndSegments) {
  for (const std::int64_t width : {1, 13, 336}) {
    const Floats nodes = uneven_floats({50, width}), kinds = uneven_floats({3, width});
    const Edges edges = test::random_edges(50, 200, 3);
    const MessagePassing graph{.nodes = nodes.data(),
                               .kinds = kinds.data(),
                               .source = edges.source.data(),
                               .kind = edges.kind.data(),
                               .first = edges.first.data(),
                               .width = width};
    Floats passed{50, width}, sums{50, width}, alone{1, width};
    kernels().message_passing(graph, 0, 50, passed.data());
    // The edges of a node are a segment of rows, which may begin at any address.
    const Floats rows = uneven_floats({200, width});
    const std::int64_t* const first = edges.first.data();
    kernels().segment_sum(rows.data(), {.first = first, .count = 50, .width = width}, sums.data());
    for (std::int64_t node = 0; node < 50; ++node) {
      kernels().message_passing(graph, node, node + 1, alone.data());
      ASSERT_TRUE(same_bytes(alone, rows_of(passed, node, 1)));
      const std::int64_t ends[] = {0, first[node + 1] - first[node]};
      const Floats own = rows_of(rows, first[node], ends[1]);
      kernels().segment_sum(own.data(), {.first = ends, .count = 1, .width = width}, alone.data());
      ASSERT_TRUE(same_bytes(alone, rows_of(sums, node, 1)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, SameRows, ::testing::ValuesIn(tested_levels()), level_name);

}  // namespace
}  // namespace cpu

namespace {

// The tests below use the operators on more rows than one block has.

constexpr std::int64_t kRows = 2 * cpu::kBlockRows + 5;

template <typename Operator>
void expect_same_rows(const Floats& x, const Operator& apply_to) {
  const Floats expected = apply_to(x);
  for (std::int64_t rows = 1; rows <= kRows; rows += rows < 20 ? 1 : 13) {
    for (const std::int64_t first : {std::int64_t{0}, (kRows - rows) / 2, kRows - rows}) {
      ASSERT_TRUE(same_bytes(apply_to(rows_of(x, first, rows)), rows_of(expected, first, rows)))
          << rows << " rows from " << first;
    }
  }
}

TEST(SameRowsOfOperators, Dense) {
  for (const auto& [in, out] : kShapes) {
    for (const auto precision : {Precision::fp32, Precision::bf16, Precision::int8}) {
      const Dense dense({uneven_floats({out, in}), uneven_floats({out})},
                        {test::normal_floats({out}), test::normal_floats({out})}, Activation::gelu,
                        precision);
      expect_same_rows(uneven_floats({kRows, in}), dense);
    }
  }
}

TEST(SameRowsOfOperators, LayerNormalisation) {
  for (const std::int64_t width : {1, 13, 16, 336}) {
    const LayerNorm norm{test::normal_floats({width}), test::normal_floats({width})};
    expect_same_rows(uneven_floats({kRows, width}), [&](const Floats& x) { return apply(norm, x); });
  }
}

/// A node with its edges, alone and after any number of other nodes.
TEST(SameRowsOfOperators, GineLayer) {
  const Dense hidden({uneven_floats({20, 20}), uneven_floats({20})}, Activation::gelu);
  const Dense out({uneven_floats({33, 20}), uneven_floats({33})}, Activation::none);
  const Floats kinds = uneven_floats({2, 20});
  const auto layer = [&](const Floats& nodes) {
    // Each node has one edge, from the node to itself.
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(nodes.rows()) + 1);
    std::iota(numbers.begin(), numbers.end(), std::int64_t{0});
    const Integers first = test::integers(numbers);
    numbers.pop_back();
    const Edges loops{.source = test::integers(numbers),
                      .target = test::integers(numbers),
                      .kind = Integers::zeros({nodes.rows()}),
                      .first = first};
    Floats residual{nodes.rows(), 33};
    std::fill_n(residual.data(), residual.count(), 1.0F);
    return gine_layer(nodes, loops, kinds, hidden, out, std::move(residual));
  };
  expect_same_rows(uneven_floats({kRows, 20}), layer);
}

}  // namespace
}  // namespace molgauge::ops
