#include "base/io/tensors/half_float.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace molgauge::io {
namespace {

TEST(HalfFloat, EveryNumberOf16BitsComesBack) {
  for (std::uint32_t half = 0; half <= 0xffffu; ++half) {
    const float number = widen_half(static_cast<std::uint16_t>(half));
    if (std::isnan(number)) {
      EXPECT_TRUE(std::isnan(widen_half(narrow_to_half(number))));
    } else {
      EXPECT_EQ(narrow_to_half(number), half) << number;
    }
  }
}

TEST(HalfFloat, RoundsToTheNearestAndToTheEven) {
  for (std::uint32_t half = 0; half < 0x7bffu; ++half) {
    const float lower = widen_half(static_cast<std::uint16_t>(half)),
                upper = widen_half(static_cast<std::uint16_t>(half + 1));
    const float middle = lower + (upper - lower) / 2;  // this number is exact in float32
    const std::uint32_t even = half % 2 == 0 ? half : half + 1;
    EXPECT_EQ(narrow_to_half(middle), even);
    EXPECT_EQ(narrow_to_half(std::nextafter(middle, 0.0f)), half);
    EXPECT_EQ(narrow_to_half(std::nextafter(middle, upper)), half + 1);
    EXPECT_EQ(narrow_to_half(-middle), even | 0x8000u);
  }
}

TEST(HalfFloat, TooLargeNumbersBecomeInfinite) {
  EXPECT_EQ(narrow_to_half(65504), 0x7bffu);
  EXPECT_EQ(narrow_to_half(65519.996f), 0x7bffu);
  EXPECT_EQ(narrow_to_half(65520), 0x7c00u);
  EXPECT_EQ(narrow_to_half(-std::numeric_limits<float>::max()), 0xfc00u);
  EXPECT_EQ(narrow_to_half(std::numeric_limits<float>::infinity()), 0x7c00u);
  EXPECT_EQ(narrow_to_half(std::numeric_limits<float>::denorm_min()), 0u);
}

}  // namespace
}  // namespace molgauge::io
