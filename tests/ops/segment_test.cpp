#include "ops/segment.h"

#include <cmath>
#include <limits>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace headroom::ops {
namespace {

TEST(Segment, KnowsWhereEachRowBelongs) {
  const Segments segments = make_segments({2, 0, 1});
  EXPECT_EQ(segments.count(), 3);
  EXPECT_TRUE(at::equal(segments.first, at::tensor({0, 2, 2, 3}, at::kLong)));
  EXPECT_TRUE(at::equal(segments.of, at::tensor({0, 0, 2}, at::kLong)));
}

TEST(Segment, OfNothingIsEmpty) {
  const Segments segments = make_segments({});
  EXPECT_EQ(segments.count(), 0);
  EXPECT_EQ(segment_max(at::empty({0, 3}), segments).sizes(), at::IntArrayRef({0, 3}));
}

TEST(Segment, ReducesByHand) {
  const Segments segments = make_segments({2, 1});
  const at::Tensor rows = at::tensor({1.0F, -4.0F, 2.0F, -3.0F, 7.0F, 8.0F}).reshape({3, 2});
  EXPECT_TRUE(at::equal(segment_sum(rows, segments), at::tensor({3.0F, -7.0F, 7.0F, 8.0F}).reshape({2, 2})));
  EXPECT_TRUE(at::equal(segment_max(rows, segments), at::tensor({2.0F, -3.0F, 7.0F, 8.0F}).reshape({2, 2})));
}

TEST(Segment, KernelsEqualReferences) {
  const Segments segments = make_segments({5, 1, 0, 12, 33});
  for (const std::int64_t width : {1, 13, 336}) {
    const at::Tensor rows = at::randn({51, width});
    const at::Tensor addends = at::randn({5, width});
    EXPECT_TRUE(at::allclose(segment_sum(rows, segments), segment_sum_reference(rows, segments), 1e-5, 1e-5));
    EXPECT_TRUE(at::equal(segment_max(rows, segments), segment_max_reference(rows, segments)));
    EXPECT_TRUE(at::equal(add_to_segments(rows, addends, segments),
                          add_to_segments_reference(rows, addends, segments)));
  }
}

TEST(Segment, ANotANumberIsNeverHidden) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Segments segments = make_segments({3});
  for (const at::Tensor& rows : {at::tensor({nan, 1.0F, 2.0F}), at::tensor({1.0F, nan, 2.0F})}) {
    EXPECT_TRUE(std::isnan(segment_max(rows.reshape({3, 1}), segments).item<float>()));
  }
}

TEST(Segment, CarriesGradients) {
  const Segments segments = make_segments({2, 1});
  const at::Tensor rows = at::tensor({1.0F, 5.0F, 3.0F}).reshape({3, 1}).requires_grad_(true);
  const at::Tensor addends = at::ones({2, 1}).requires_grad_(true);
  const at::Tensor moved = add_to_segments(rows, addends, segments);
  (segment_max(moved, segments) + 10 * segment_sum(moved, segments)).sum().backward();
  EXPECT_TRUE(at::equal(rows.grad(), at::tensor({10.0F, 11.0F, 11.0F}).reshape({3, 1})));
  EXPECT_TRUE(at::equal(addends.grad(), at::tensor({21.0F, 11.0F}).reshape({2, 1})));
}

}  // namespace
}  // namespace headroom::ops
