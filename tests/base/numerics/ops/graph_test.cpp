#include "base/numerics/ops/graph.h"

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "arrays.h"

namespace molgauge::ops {
namespace {

using test::floats;
using test::integers;
using test::normal_floats;
using test::random_edges;
using test::values_of;

using Numbers = std::vector<float>;
using Shape = std::vector<std::int64_t>;

/// Two edges of one kind into node 1, and one edge of another kind into node 2.
Edges some_edges() {
  return {.source = integers({0, 2, 0}),
          .target = integers({1, 1, 2}),
          .kind = integers({0, 0, 1}),
          .first = integers({0, 0, 2, 3})};
}

TEST(MessagePassing, IsTheFormula) {
  const Floats nodes = floats({3, 1}, {1, -2, 3}), kinds = floats({2, 1}, {0.5F, -5});
  const Floats sums = message_passing(nodes, some_edges(), kinds);
  EXPECT_EQ(sums.shape(), (Shape{3, 1}));
  EXPECT_EQ(values_of(sums), (Numbers{1, -2 + 1.5F + 3.5F, 3}));
  EXPECT_EQ(values_of(nodes), (Numbers{1, -2, 3})) << "its arguments are unchanged";
}

TEST(MessagePassing, LeavesNodesWithoutEdgesAlone) {
  const Floats nodes = normal_floats({3, 8});
  EXPECT_EQ(values_of(message_passing(nodes, random_edges(3, 0, 1), Floats{0, 8})), values_of(nodes));
}

TEST(GineLayer, IsTheFormulaAndTakesOverTheResidual) {
  const Floats nodes = floats({3, 1}, {1, -2, 3}), kinds = floats({2, 1}, {0.5F, -5});
  // The sums are 1, 3 and 3. After the hidden layer they are 0, 3 and 3.
  const Dense hidden({floats({1, 1}, {2}), floats({1}, {-3})}, Activation::relu);
  const Dense out({floats({2, 1}, {1, -1}), floats({2}, {0, 4})}, Activation::none);
  const Numbers expected = {0, 4, 3, 1, 3, 1};
  const Floats alone = gine_layer(nodes, some_edges(), kinds, hidden, out, Floats());
  EXPECT_EQ(alone.shape(), (Shape{3, 2}));
  EXPECT_EQ(values_of(alone), expected);

  Floats residual = floats({3, 2}, {10, 20, 30, 40, 50, 60});
  const float* const memory = residual.data();
  const Floats sum = gine_layer(nodes, some_edges(), kinds, hidden, out, std::move(residual));
  EXPECT_EQ(values_of(sum), (Numbers{10, 24, 33, 41, 53, 61}));
  EXPECT_EQ(sum.data(), memory);
}

TEST(Segment, KnowsWhereEachRowBelongs) {
  const Segments segments = make_segments({2, 0, 1});
  EXPECT_EQ(segments.count(), 3);
  EXPECT_EQ(values_of(segments.first), (std::vector<std::int64_t>{0, 2, 2, 3}));
  EXPECT_EQ(values_of(segments.of), (std::vector<std::int64_t>{0, 0, 2}));
}

TEST(Segment, OfNothingIsEmpty) {
  const Segments segments = make_segments({});
  EXPECT_EQ(segments.count(), 0);
  EXPECT_EQ(segment_max(Floats{0, 3}, segments).shape(), (Shape{0, 3}));
  EXPECT_EQ(segment_sum(Floats{0, 3}, segments).shape(), (Shape{0, 3}));
  EXPECT_EQ(add_to_segments(Floats{0, 3}, Floats{0, 3}, segments).shape(), (Shape{0, 3}));
}

TEST(Segment, ReducesByHand) {
  const Segments segments = make_segments({2, 1});
  const Floats rows = floats({3, 2}, {1, -4, 2, -3, 7, 8});
  EXPECT_EQ(values_of(segment_sum(rows, segments)), (Numbers{3, -7, 7, 8}));
  EXPECT_EQ(values_of(segment_max(rows, segments)), (Numbers{2, -3, 7, 8}));
  EXPECT_EQ(values_of(add_to_segments(rows, floats({2, 2}, {10, 20, 30, 40}), segments)),
            (Numbers{11, 16, 12, 17, 37, 48}));
}

TEST(Segment, AnEmptyOneHasTheSumZeroAndTheLargestOfNothing) {
  const Segments segments = make_segments({0, 1, 0});
  const Floats rows = floats({1, 2}, {5, -6});
  const float lowest = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(values_of(segment_sum(rows, segments)), (Numbers{0, 0, 5, -6, 0, 0}));
  EXPECT_EQ(values_of(segment_max(rows, segments)), (Numbers{lowest, lowest, 5, -6, lowest, lowest}));
}

TEST(Segment, ANotANumberIsNeverHidden) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Segments segments = make_segments({3});
  for (const Numbers& rows : {Numbers{nan, 1, 2}, Numbers{1, nan, 2}, Numbers{1, 2, nan}}) {
    EXPECT_TRUE(std::isnan(segment_max(floats({3, 1}, rows), segments).data()[0]));
    EXPECT_TRUE(std::isnan(segment_sum(floats({3, 1}, rows), segments).data()[0]));
  }
}

}  // namespace
}  // namespace molgauge::ops
