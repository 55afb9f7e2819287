#include "base/core/text/bytes.h"

#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge {
namespace {

TEST(FormatBytes, ShowsThreeFigures) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1536), "1.50 KiB");
  EXPECT_EQ(format_bytes(20ULL << 30), "20.0 GiB");
  EXPECT_EQ(format_bytes(512ULL << 20), "512 MiB");
  EXPECT_EQ(format_bytes(3ULL << 50), "3072 TiB");
}

TEST(ParseBytes, ReadsBinaryUnits) {
  EXPECT_EQ(parse_bytes("512MiB"), 512ULL << 20);
  EXPECT_EQ(parse_bytes("20 GiB"), 20ULL << 30);
  EXPECT_EQ(parse_bytes("1.5KiB"), 1536U);
  EXPECT_EQ(parse_bytes("1073741824"), 1ULL << 30);
  EXPECT_EQ(parse_bytes("7B"), 7U);
}

TEST(ParseBytes, RefusesWhatIsNoSize) {
  for (const char* text : {"", "GiB", "20GB", "20G", "-1", "1e30", "nan", "inf", "5 GiB left", "0x"}) {
    EXPECT_THROW(parse_bytes(text), UsageError) << text;
  }
}

TEST(ParseBytes, NamesTheTextAndAWayToWriteIt) {
  try {
    parse_bytes("20GB");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "'20GB' is not a size. Give for example 512MiB, 20GiB or a number of bytes");
  }
}

}  // namespace
}  // namespace molgauge
