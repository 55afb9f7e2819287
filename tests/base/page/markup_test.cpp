#include "base/page/markup.h"

#include <gtest/gtest.h>

namespace molgauge::page {
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

TEST(Markup, EscapesWhatMarkdownActsUpon) {
  EXPECT_EQ(escape_markdown("energy-dpo 0.5"), "energy-dpo 0.5");
  EXPECT_EQ(escape_markdown("[x](javascript:1)"), "\\[x\\](javascript:1)");
  EXPECT_EQ(escape_markdown("![x](http://a.b) <img src=x> & |"),
            "!\\[x\\](http://a.b) &lt;img src=x&gt; &amp; \\|");
  EXPECT_EQ(escape_markdown("*a* _b_ `c` ~d~ $e$ \\"), "\\*a\\* \\_b\\_ \\`c\\` \\~d\\~ \\$e\\$ \\\\");
  EXPECT_EQ(escape_markdown("two\nlines\x1b \u00B1"), "two lines\uFFFD \u00B1");
}

TEST(Markup, ShortensByCharacters) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abcde\u2026");
  EXPECT_EQ(shortened("\u00E4\u00F6\u00FC\u00DF", 3), "\u00E4\u00F6\u2026");
  EXPECT_EQ(shortened("", 3), "");
}

}  // namespace
}  // namespace molgauge::page
