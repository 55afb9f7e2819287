#include "base/core/hash.h"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace molgauge {
namespace {

TEST(Hash128, IsXxh3InCanonicalByteOrder) {
  // XXH3_128bits of an empty input, from the xxHash specification.
  EXPECT_THAT(hash128(""), testing::ElementsAre(0x99, 0xaa, 0x06, 0xd3, 0x01, 0x47, 0x98, 0xd8, 0x60, 0x01,
                                                0xc3, 0x24, 0x46, 0x8d, 0x49, 0x7f));
  EXPECT_NE(hash128("CCO"), hash128("OCC"));
  EXPECT_EQ(hash128("CCO"), hash128(std::string("CCO")));
}

TEST(Checksum64, SeesEveryBit) {
  EXPECT_EQ(checksum64({}), 0x2d06800538d394c2U);
  std::array<std::byte, 64> bytes = {};
  const auto clean = checksum64(bytes);
  for (auto& byte : bytes) {
    byte = std::byte{1};
    EXPECT_NE(checksum64(bytes), clean);
    byte = std::byte{0};
  }
  EXPECT_EQ(checksum64(bytes), clean);
}

}  // namespace
}  // namespace molgauge
