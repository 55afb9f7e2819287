#include "base/numerics/ops/dense.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "arrays.h"
#include "base/memory/measure/tensor_memory.h"

namespace molgauge::ops {
namespace {

using test::floats;
using test::normal_floats;
using test::values_of;

using Shape = std::vector<std::int64_t>;

Linear by_hand() { return {floats({2, 3}, {1, 2, 3, 4, 5, 6}), floats({2}, {10, 20})}; }

TEST(Dense, MultipliesByTheTranspose) {
  const Floats x = floats({2, 3}, {1, 0, -1, -6, 0, 0});
  EXPECT_EQ(values_of(Dense(by_hand(), Activation::none)(x)), (std::vector<float>{8, 18, 4, -4}));
  EXPECT_EQ(values_of(Dense(by_hand(), Activation::relu)(x)), (std::vector<float>{8, 18, 4, 0}));
}

TEST(Dense, NormalisesBeforeTheActivation) {
  const LayerNorm normalization{floats({2}, {3, 3}), floats({2}, {1, 1})};
  const Floats x = floats({1, 3}, {1, 0, -1});
  // 8 and 18 are 5 below and 5 above their mean.
  const double normalised = 5 / std::sqrt(25 + 1e-5);
  const Floats y = Dense(by_hand(), normalization, Activation::relu)(x);
  EXPECT_EQ(y.data()[0], 0.0F);
  EXPECT_NEAR(y.data()[1], 3 * normalised + 1, 2e-6);
}

TEST(Dense, KeepsTheAxesInFront) {
  const Dense dense({normal_floats({24, 16}), normal_floats({24})}, Activation::gelu);
  EXPECT_EQ(dense(normal_floats({9, 8, 16})).shape(), (Shape{9, 8, 24}));
  EXPECT_EQ(dense(normal_floats({16})).shape(), Shape{24});
  EXPECT_EQ(dense(Floats{0, 16}).shape(), (Shape{0, 24}));
}

TEST(Dense, SaysWhatItsPackedNumbersTake) {
  const Linear linear{normal_floats({29, 13}), normal_floats({29})};
  const LayerNorm normalization{normal_floats({29}), normal_floats({29})};
  for (const auto precision : {Precision::fp32, Precision::bf16, Precision::int8}) {
    const std::uint64_t before = memory::tensor_memory().allocated_bytes();
    {
      const Dense dense(linear, normalization, Activation::none, precision);
      EXPECT_EQ(memory::tensor_memory().allocated_bytes() - before, dense.bytes()) << to_string(precision);
      EXPECT_GE(dense.bytes(), linear.weight.bytes() / 4);
      const Dense copy = dense;
      EXPECT_EQ(memory::tensor_memory().allocated_bytes() - before, dense.bytes()) << "a copy shares them";
    }
    EXPECT_EQ(memory::tensor_memory().allocated_bytes(), before);
  }
}

TEST(Dense, IsMadeOfParametersWithoutNumbers) {
  EXPECT_EQ(Dense(Linear{}, LayerNorm{}, Activation::gelu, Precision::int8).bytes(), 0U);
  EXPECT_EQ(Dense().bytes(), 0U);
}

TEST(Dense, NeedsTheParametersNoLonger) {
  const Floats x = normal_floats({5, 16});
  std::vector<float> expected;
  const Dense dense = [&] {
    Linear linear{normal_floats({24, 16}), normal_floats({24})};
    Dense made(linear, Activation::none);
    expected = values_of(made(x));
    std::fill_n(linear.weight.data(), linear.weight.count(), 0.0F);
    return made;
  }();
  EXPECT_EQ(values_of(dense(x)), expected);
}

TEST(LayerNorm, NormalisesWithTheBiasedVariance) {
  const LayerNorm normalization{floats({4}, {2, 2, 2, 2}), floats({4}, {1, 1, 1, 1})};
  const Floats y = apply(normalization, floats({1, 4}, {1, 2, 3, 4}));
  ASSERT_EQ(y.shape(), (Shape{1, 4}));
  const double deviation = std::sqrt(1.25 + 1e-5);
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(y.data()[i], 2 * (i - 1.5) / deviation + 1, 2e-6);
  }
}

TEST(LayerNorm, ANotANumberIsNeverHidden) {
  const LayerNorm normalization{floats({2}, {1, 1}), floats({2}, {0, 0})};
  const Floats y = apply(normalization, floats({2, 2}, {std::nanf(""), 1, 1, 2}));
  EXPECT_TRUE(std::isnan(y.data()[0]));
  EXPECT_TRUE(std::isnan(y.data()[1]));
  EXPECT_FALSE(std::isnan(y.data()[2]));
  EXPECT_FALSE(std::isnan(y.data()[3]));
}

TEST(RowBlocks, CoverAllRowsInOrder) {
  for (const std::int64_t rows :
       {std::int64_t{0}, std::int64_t{1}, cpu::kBlockRows, 2 * cpu::kBlockRows + 5}) {
    std::int64_t next = 0;
    for_row_blocks(rows, [&](std::int64_t first, std::int64_t count) {
      EXPECT_EQ(first, next);
      EXPECT_GE(count, 1);
      EXPECT_LE(count, cpu::kBlockRows);
      next += count;
    });
    EXPECT_EQ(next, rows);
  }
}

}  // namespace
}  // namespace molgauge::ops
