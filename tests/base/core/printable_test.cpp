#include "base/core/text/printable.h"

#include <gtest/gtest.h>

namespace molgauge {
namespace {

TEST(Printable, KeepsTextAsItIs) {
  EXPECT_EQ(printable("CC(=O)Oc1ccccc1 'aspirin'"), "CC(=O)Oc1ccccc1 'aspirin'");
  EXPECT_EQ(printable("\u03B2-carotene, \u4E2D, \U0001F9EA"), "\u03B2-carotene, \u4E2D, \U0001F9EA");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, ShowsControlCharactersAsEscapes) {
  EXPECT_EQ(printable("\x1b]0;title\x07\x1b[2J"), "\\x1b]0;title\\x07\\x1b[2J");
  EXPECT_EQ(printable("a\nb\rc\td"), "a\\nb\\rc\\td");
  EXPECT_EQ(printable(std::string("a\0b\x7f", 4)), "a\\x00b\\x7f");
  EXPECT_EQ(printable("\u009b2J"), "\\u009b2J");  // the control sequence introducer (CSI) as one character
}

TEST(Printable, ShowsWhatReordersTextAndWhatIsNoText) {
  EXPECT_EQ(printable("\u202Eabc\u2066"), "\\u202eabc\\u2066");
  EXPECT_EQ(printable("\x9b[2J\xff"), "\\x9b[2J\\xff");
}

TEST(PrintableMessage, KeepsLinesAndIndentsThem) {
  EXPECT_EQ(printable_message("one\n"), "one\n");
  EXPECT_EQ(printable_message("not one:\n  a\nmolgauge: forged\x1b\n"),
            "not one:\n  a\n  molgauge: forged\\x1b\n");
  EXPECT_EQ(printable_message("\n"), "\n");
  EXPECT_EQ(printable_message(""), "");
}

TEST(PrintableLines, KeepLinesAsTheyStand) {
  EXPECT_EQ(printable_lines("a  b\nc\td\n\n"), "a  b\nc\\td\n\n");
}

}  // namespace
}  // namespace molgauge
