#include "base/numerics/ops/linear_algebra/small_products.h"

#include <vector>

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>

#include "base/numerics/ops/linear_algebra/product_tiles.h"

namespace molgauge::ops {
namespace {

at::Tensor random(at::IntArrayRef shape, std::uint64_t seed) {
  return at::randn(shape, at::detail::createCPUGenerator(seed));
}

std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }

at::Tensor linear(const at::Tensor& x, const at::Tensor& w, const at::Tensor& bias) {
  at::Tensor y = at::empty({x.size(0), w.size(0)});
  apply_linear({size(x.size(0)), size(x.size(1)), size(w.size(0))}, x.data_ptr<float>(), w.data_ptr<float>(),
               bias.data_ptr<float>(), y.data_ptr<float>());
  return y;
}

/// Some of the sizes do not fill a tile.
TEST(SmallProducts, EqualTheMatrixLibrarys) {
  for (const std::int64_t rows : {1, 4, 7, 33}) {
    for (const std::int64_t inputs : {1, 8, 64, 77}) {
      for (const std::int64_t outputs : {1, 2, 5, 64}) {
        const at::Tensor x = random({rows, inputs}, 1), w = random({outputs, inputs}, 2);
        const at::Tensor bias = random({outputs}, 3), gradient = random({rows, outputs}, 4);
        EXPECT_TRUE(at::allclose(linear(x, w, bias), at::mm(x, w.t()) + bias, 1e-4, 1e-4));

        at::Tensor of_weights = at::full({outputs, inputs}, 9.0);
        add_weighted_rows({.sums = size(outputs),
                           .terms = size(rows),
                           .width = size(inputs),
                           .sum_stride = 1,
                           .term_stride = size(outputs)},
                          gradient.data_ptr<float>(), x.data_ptr<float>(), of_weights.data_ptr<float>());
        EXPECT_TRUE(at::allclose(of_weights, at::mm(gradient.t(), x), 1e-4, 1e-4));

        at::Tensor of_inputs = at::full({rows, inputs}, 9.0);
        add_weighted_rows({.sums = size(rows),
                           .terms = size(outputs),
                           .width = size(inputs),
                           .sum_stride = size(outputs),
                           .term_stride = 1},
                          gradient.data_ptr<float>(), w.data_ptr<float>(), of_inputs.data_ptr<float>());
        EXPECT_TRUE(at::allclose(of_inputs, at::mm(gradient, w), 1e-4, 1e-4));
      }
    }
  }
}

TEST(SmallProducts, OfARowDoNotDependOnTheOthers) {
  const at::Tensor x = random({11, 77}, 5), w = random({6, 77}, 6), bias = random({6}, 7);
  const at::Tensor together = linear(x, w, bias);
  for (std::int64_t row = 0; row < 11; ++row) {
    EXPECT_TRUE(at::equal(linear(x.narrow(0, row, 1), w, bias), together.narrow(0, row, 1)));
  }
}

TEST(ProductTiles, OfEveryProcessorAgree) {
  const at::Tensor numbers = random({6, 77}, 8);
  const auto row = [&](std::int64_t i) -> const float* { return numbers[i].data_ptr<float>(); };
  const TileRows rows{row(0), row(1), row(2), row(3)};
  TileProducts expected_products, products;
  multiply_anywhere(77, rows, {row(4), row(5)}, expected_products);
  choose_product_tile()(77, rows, {row(4), row(5)}, products);
  for (std::size_t r = 0; r < kTileRows; ++r) {
    for (std::size_t o = 0; o < kTileOutputs; ++o) {
      EXPECT_NEAR(products[r][o], expected_products[r][o], 1e-4);
    }
  }
  const at::Tensor columns = random({20, 16}, 9);
  at::Tensor expected = at::empty({4, 19}), found = at::empty({4, 19});
  expected.fill_(7);
  found.fill_(7);
  sum_anywhere(20, rows, 3, columns.data_ptr<float>(), expected.data_ptr<float>(), 19);
  choose_sum_tile()(20, rows, 3, columns.data_ptr<float>(), found.data_ptr<float>(), 19);
  EXPECT_TRUE(at::allclose(found, expected, 1e-4, 1e-4));
  const at::Tensor weights = numbers.narrow(0, 0, 4).slice(1, 0, 60, 3);
  EXPECT_TRUE(at::allclose(found.narrow(1, 0, 16), at::mm(weights, columns), 1e-4, 1e-4));
  EXPECT_TRUE(found.narrow(1, 16, 3).eq(7).all().item<bool>());
}

}  // namespace
}  // namespace molgauge::ops
