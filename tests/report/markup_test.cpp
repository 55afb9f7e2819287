#include "report/markup.h"

#include <gtest/gtest.h>

namespace headroom::report {
namespace {

TEST(Markup, EscapesWhatMarkupReads) {
  EXPECT_EQ(escape_markup("a<b>&\"c\"'d'"), "a&lt;b&gt;&amp;&quot;c&quot;&#39;d&#39;");
  EXPECT_EQ(escape_markup("0.9 \u00B1 0.1 \u03B2"), "0.9 \u00B1 0.1 \u03B2");
}

TEST(Markup, ReplacesWhatIsNoText) {
  const std::string replacement = "\uFFFD";
  EXPECT_EQ(escape_markup(std::string("a\0b", 3)), "a" + replacement + "b");
  EXPECT_EQ(escape_markup("\x1b[2J"), replacement + "[2J");
  EXPECT_EQ(escape_markup("\xC3"), replacement);                                      // cut off
  EXPECT_EQ(escape_markup("\xC0\xAF"), replacement + replacement);                    // overlong
  EXPECT_EQ(escape_markup("\xED\xA0\x80"), replacement + replacement + replacement);  // a surrogate
  EXPECT_EQ(escape_markup("line\nline\ttab"), "line\nline\ttab");
}

TEST(Markup, ShortensByCharacters) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abcde\u2026");
  EXPECT_EQ(shortened("\u00E4\u00F6\u00FC\u00DF", 3), "\u00E4\u00F6\u2026");
  EXPECT_EQ(shortened("", 3), "");
}

}  // namespace
}  // namespace headroom::report
