#include "base/core/text/utf8.h"

#include <gtest/gtest.h>

namespace molgauge {
namespace {

TEST(Utf8, KnowsWellFormedCharacters) {
  EXPECT_EQ(utf8_length("a", 0), 1u);
  EXPECT_EQ(utf8_length("\u00E4", 0), 2u);
  EXPECT_EQ(utf8_length("\u4E2D", 0), 3u);
  EXPECT_EQ(utf8_length("\U0001F9EA", 0), 4u);
  for (const char* const broken : {"\xC3", "\xC0\xAF", "\xED\xA0\x80", "\x80", "\xF5\x80\x80\x80"}) {
    EXPECT_EQ(utf8_length(broken, 0), 0u) << broken;
  }
}

TEST(Utf8, CountsAndCutsByCharacters) {
  EXPECT_EQ(utf8_characters("0.9 \u00B1 0.1"), 9u);
  EXPECT_EQ(utf8_characters("\xff\xff"), 2u);
  EXPECT_EQ(utf8_beginning("ab\u00E4", 3), "ab");
  EXPECT_EQ(utf8_beginning("ab\u00E4", 4), "ab\u00E4");
}

}  // namespace
}  // namespace molgauge
