#include "memgauge/simulator/rounding.h"

#include <gtest/gtest.h>

namespace molgauge::allocator {
namespace {

TEST(Rounding, DefaultsToMultiplesOf512) {
  const AllocatorSettings defaults;
  EXPECT_EQ(round_request(0, defaults), 512U);
  EXPECT_EQ(round_request(511, defaults), 512U);
  EXPECT_EQ(round_request(512, defaults), 512U);
  EXPECT_EQ(round_request(513, defaults), 1024U);
  EXPECT_EQ(round_request(100 * kMebibyte + 1, defaults), 100 * kMebibyte + 512);
}

/// The example in the PyTorch documentation: 1200 with 4 divisions lies between 1024 and 2048, with steps of
/// 256.
TEST(Rounding, DividesPowersOfTwo) {
  EXPECT_EQ(round_between_powers(1200, 4), 1280U);
  const auto settings = parse_allocator_settings("roundup_power2_divisions:4");
  EXPECT_EQ(round_request(1200, settings), 1536U) << "not above 512 x divisions: plain rounding";
  EXPECT_EQ(round_request(1200 * 1024, settings), 1280U * 1024);
  for (std::uint64_t size = 512; size <= 64 * 1024 * kMebibyte; size *= 2) {
    EXPECT_EQ(round_request(size, settings), size);
  }
}

TEST(Rounding, OneDivisionIsNone) {
  EXPECT_EQ(round_request(500 * kMebibyte, parse_allocator_settings("roundup_power2_divisions:1")),
            500 * kMebibyte);
}

TEST(Rounding, EachIntervalHasItsDivisions) {
  const auto settings = parse_allocator_settings("roundup_power2_divisions:[64:8,128:2,>:0]");
  EXPECT_EQ(round_request(33 * kMebibyte, settings), 36 * kMebibyte);
  EXPECT_EQ(round_request(65 * kMebibyte, settings), 72 * kMebibyte);
  EXPECT_EQ(round_request(129 * kMebibyte, settings), 192 * kMebibyte);
  EXPECT_EQ(round_request(257 * kMebibyte, settings), 257 * kMebibyte);
}

TEST(Rounding, SegmentsGrowWithTheRequest) {
  const AllocatorSettings defaults;
  EXPECT_EQ(segment_bytes(512, defaults), 2 * kMebibyte);
  EXPECT_EQ(segment_bytes(kMebibyte, defaults), 2 * kMebibyte);
  EXPECT_EQ(segment_bytes(kMebibyte + 512, defaults), 20 * kMebibyte);
  EXPECT_EQ(segment_bytes(10 * kMebibyte - 512, defaults), 20 * kMebibyte);
  EXPECT_EQ(segment_bytes(10 * kMebibyte, defaults), 10 * kMebibyte);
  EXPECT_EQ(segment_bytes(10 * kMebibyte + 512, defaults), 12 * kMebibyte);
  EXPECT_EQ(segment_bytes(5 * kMebibyte, parse_allocator_settings("large_segment_size_mb:12")),
            12 * kMebibyte);
}

}  // namespace
}  // namespace molgauge::allocator
