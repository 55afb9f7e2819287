// Row r of every result is the same bytes alone, and at any place of a block of any size.

#include <cmath>
#include <cstring>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "arrays.h"
#include "levels.h"
#include "ops/cpu/packed_layer.h"
#include "ops/dense.h"
#include "ops/graph.h"
#include "torch/arrays.h"
#include "torch/torch_compatibility.h"

namespace headroom::ops {
namespace {

using test::floats_of;
using test::integers_of;
using torch::read_numbers;
using torch::write_numbers;

bool same_bytes(const at::Tensor& one, const at::Tensor& other) {
  const at::Tensor left = one.contiguous(), right = other.contiguous();
  return left.sizes() == right.sizes() && std::memcmp(left.data_ptr(), right.data_ptr(), left.nbytes()) == 0;
}

/// Of numbers that differ much in size, so that a sum in another order has other bytes.
at::Tensor uneven(at::IntArrayRef shape) { return at::randn(shape) * at::randn(shape).mul(3).exp(); }

struct Shape {
  std::int64_t in, out;
};

/// MiniMol's, of an energy head's last layer, and of remainders on both sides.
constexpr Shape kShapes[] = {{336, 336}, {128, 1}, {13, 29}, {2, 64}};

}  // namespace

namespace cpu {
namespace {

using SameRows = EveryLevel;

/// A packed layer on rows `first` to `last - 1`, which begin there or anywhere in other memory.
at::Tensor run(const Kernels& kernels, const PackedLayer& packed, const at::Tensor& x, bool add) {
  at::Tensor y = at::full({x.size(0), packed.layer().out}, 0.25);
  DenseScratch& scratch = dense_scratch(std::max(packed.layer().in, packed.layer().out));
  kernels.dense(packed.layer(), read_numbers<float>(x), x.size(0), scratch.rounded(), scratch.product(), add,
                write_numbers<float>(y));
  return y;
}

TEST_P(SameRows, OfADenseLayer) {
  at::manual_seed(2027);
  for (const auto& [in, out] : kShapes) {
    const at::Tensor x = uneven({kBlockRows, in}), weight = uneven({out, in}), numbers = uneven({3, out});
    for (const auto precision : {Precision::fp32, Precision::bf16, Precision::int8}) {
      for (const bool whole : {false, true}) {  // with normalisation, an activation and the sum
        const PackedLayer packed({.in = in,
                                  .out = out,
                                  .weight = read_numbers<float>(weight),
                                  .bias = read_numbers<float>(numbers),
                                  .norm_weight = whole ? read_numbers<float>(numbers) + out : nullptr,
                                  .norm_bias = whole ? read_numbers<float>(numbers) + 2 * out : nullptr,
                                  .activation = whole ? Activation::gelu : Activation::none},
                                 precision, kernels());
        const at::Tensor expected = run(kernels(), packed, x, whole);
        const std::int64_t step = in * out > 10'000 ? 5 : 1;  // emulated levels take their time
        for (std::int64_t rows = 1; rows <= kBlockRows; rows += step) {
          for (const std::int64_t first : {std::int64_t{0}, (kBlockRows - rows) / 2, kBlockRows - rows}) {
            ASSERT_TRUE(same_bytes(run(kernels(), packed, x.narrow(0, first, rows), whole),
                                   expected.narrow(0, first, rows)))
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
    const at::Tensor nodes = uneven({50, width}), kinds = uneven({3, width});
    const Edges edges = test::random_edges(50, 200, 3);
    const MessagePassing graph{.nodes = read_numbers<float>(nodes),
                               .kinds = read_numbers<float>(kinds),
                               .source = edges.source.data(),
                               .kind = edges.kind.data(),
                               .first = edges.first.data(),
                               .width = width};
    at::Tensor passed = at::empty({50, width}), sums = at::empty({50, width});
    kernels().message_passing(graph, 0, 50, write_numbers<float>(passed));
    // The edges of a node as a segment of rows, each beginning wherever it does.
    const at::Tensor rows = uneven({200, width});
    const std::int64_t* const first = edges.first.data();
    kernels().segment_sum(read_numbers<float>(rows), {.first = first, .count = 50, .width = width},
                          write_numbers<float>(sums));
    for (std::int64_t node = 0; node < 50; ++node) {
      at::Tensor alone = at::empty({1, width});
      kernels().message_passing(graph, node, node + 1, write_numbers<float>(alone));
      ASSERT_TRUE(same_bytes(alone[0], passed[node]));
      const std::int64_t ends[] = {0, first[node + 1] - first[node]};
      const at::Tensor own = rows.narrow(0, first[node], ends[1]).clone();
      kernels().segment_sum(read_numbers<float>(own), {.first = ends, .count = 1, .width = width},
                            write_numbers<float>(alone));
      ASSERT_TRUE(same_bytes(alone[0], sums[node]));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, SameRows, ::testing::ValuesIn(tested_levels()), level_name);

}  // namespace
}  // namespace cpu

namespace {

// The operators, of more rows than one block has.

constexpr std::int64_t kRows = 2 * cpu::kBlockRows + 5;

template <typename Operator>
void expect_same_rows(const at::Tensor& x, const Operator& apply_to) {
  const auto apply = [&](const at::Tensor& rows) {
    return torch::as_tensor(apply_to(torch::as_array(rows)));
  };
  const at::Tensor expected = apply(x);
  for (std::int64_t rows = 1; rows <= kRows; rows += rows < 20 ? 1 : 13) {
    for (const std::int64_t first : {std::int64_t{0}, (kRows - rows) / 2, kRows - rows}) {
      ASSERT_TRUE(same_bytes(apply(x.narrow(0, first, rows)), expected.narrow(0, first, rows)))
          << rows << " rows from " << first;
    }
  }
}

TEST(SameRowsOfOperators, Dense) {
  for (const auto& [in, out] : kShapes) {
    for (const auto precision : {Precision::fp32, Precision::bf16, Precision::int8}) {
      const Dense dense({floats_of(uneven({out, in})), floats_of(uneven({out}))},
                        {floats_of(at::randn({out})), floats_of(at::randn({out}))}, Activation::gelu,
                        precision);
      expect_same_rows(uneven({kRows, in}), dense);
    }
  }
}

TEST(SameRowsOfOperators, LayerNormalisation) {
  for (const std::int64_t width : {1, 13, 16, 336}) {
    const LayerNorm norm{floats_of(at::randn({width})), floats_of(at::randn({width}))};
    expect_same_rows(uneven({kRows, width}), [&](const Floats& x) { return apply(norm, x); });
  }
}

/// A node alone, with its edges, after any number of other nodes.
TEST(SameRowsOfOperators, GineLayer) {
  const Dense hidden({floats_of(uneven({20, 20})), floats_of(uneven({20}))}, Activation::gelu);
  const Dense out({floats_of(uneven({33, 20})), floats_of(uneven({33}))}, Activation::none);
  const Floats kinds = floats_of(uneven({2, 20}));
  const auto layer = [&](const Floats& nodes) {
    const Integers target = integers_of(at::arange(nodes.rows(), at::kLong));
    const Edges loops{.source = target,
                      .target = target,
                      .kind = Integers::zeros(target.shape()),
                      .first = integers_of(at::arange(nodes.rows() + 1, at::kLong))};
    return gine_layer(nodes, loops, kinds, hidden, out, floats_of(at::ones({nodes.rows(), 33})));
  };
  expect_same_rows(uneven({kRows, 20}), layer);
}

}  // namespace
}  // namespace headroom::ops
