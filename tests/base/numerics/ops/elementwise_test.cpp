#include "base/numerics/ops/elementwise.h"

#include <vector>

#include <gtest/gtest.h>

#include "arrays.h"

namespace molgauge::ops {
namespace {

using test::floats;
using test::integers;
using test::values_of;

using Numbers = std::vector<float>;
using Shape = std::vector<std::int64_t>;

TEST(Elementwise, AddsAndScales) {
  const Floats a = floats({2, 2}, {1, -2, 3, 4}), b = floats({2, 2}, {10, 20, 30, 40});
  EXPECT_EQ(values_of(add(a, b)), (Numbers{11, 18, 33, 44}));
  EXPECT_EQ(values_of(scale(a, -0.5F)), (Numbers{-0.5, 1, -1.5, -2}));
  EXPECT_EQ(values_of(a), (Numbers{1, -2, 3, 4})) << "its arguments are unchanged";
  EXPECT_EQ(values_of(b), (Numbers{10, 20, 30, 40}));
}

TEST(Elementwise, ScalesEachRowByItsFactor) {
  const Floats x = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(values_of(scale_rows(x, floats({2, 1}, {10, -1}))), (Numbers{10, 20, 30, -4, -5, -6}));
}

TEST(Elementwise, JoinsColumns) {
  const Floats joined = join_columns(floats({2, 1}, {1, 2}), floats({2, 2}, {3, 4, 5, 6}));
  EXPECT_EQ(joined.shape(), (Shape{2, 3}));
  EXPECT_EQ(values_of(joined), (Numbers{1, 3, 4, 2, 5, 6}));
}

TEST(Elementwise, PairsUp) {
  const Floats pairs = pair_up(floats({2, 2}, {1, 2, 3, 4}), floats({2, 2}, {5, 6, 7, 8}));
  EXPECT_EQ(pairs.shape(), (Shape{2, 2, 2}));
  EXPECT_EQ(values_of(pairs), (Numbers{1, 5, 2, 6, 3, 7, 4, 8}));
}

TEST(Elementwise, TakesTheMeanOverTheSecondAxis) {
  const Floats mean = mean_over_second(floats({2, 2, 3}, {1, 2, 3, 5, 6, 7, 0, 0, 0, 1, 1, -1}));
  EXPECT_EQ(mean.shape(), (Shape{2, 3}));
  EXPECT_EQ(values_of(mean), (Numbers{3, 4, 5, 0.5, 0.5, -0.5}));
}

TEST(Elementwise, SelectsRowsInAnyOrderAndAgain) {
  const Floats rows = select_rows(floats({3, 2}, {1, 2, 3, 4, 5, 6}), integers({2, 0, 2, 2}));
  EXPECT_EQ(rows.shape(), (Shape{4, 2}));
  EXPECT_EQ(values_of(rows), (Numbers{5, 6, 1, 2, 5, 6, 5, 6}));
}

TEST(Elementwise, OfNoRowsHasNone) {
  const Floats none{0, 3};
  EXPECT_EQ(add(none, none).shape(), (Shape{0, 3}));
  EXPECT_EQ(scale(none, 2).shape(), (Shape{0, 3}));
  EXPECT_EQ(scale_rows(none, Floats{0, 1}).shape(), (Shape{0, 3}));
  EXPECT_EQ(join_columns(none, Floats{0, 2}).shape(), (Shape{0, 5}));
  EXPECT_EQ(pair_up(none, none).shape(), (Shape{0, 3, 2}));
  EXPECT_EQ(mean_over_second(Floats{0, 4, 3}).shape(), (Shape{0, 3}));
  EXPECT_EQ(select_rows(floats({1, 3}, {1, 2, 3}), Integers{0}).shape(), (Shape{0, 3}));
}

}  // namespace
}  // namespace molgauge::ops
