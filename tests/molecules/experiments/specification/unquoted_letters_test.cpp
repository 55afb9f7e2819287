#include "molecules/experiments/specification/unquoted_letters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"

namespace molgauge::experiment {
namespace {

void expect_accepted(const std::string& text) {
  EXPECT_NO_THROW(refuse_unquoted_letters(text, "spec.toml")) << text;
}

void expect_refused(const std::string& text, const std::string& place) {
  try {
    refuse_unquoted_letters(text, "spec.toml");
    FAIL() << "accepted: " << text;
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::StartsWith(place + ": a non-ASCII letter")) << text;
  }
}

TEST(UnquotedLetters, AreAtHomeInStringsAndComments) {
  expect_accepted("");
  expect_accepted("\xEF\xBB\xBFtitle = \"β\" # größer\n'λ' = 'ä'\n");
  expect_accepted("a = \"quoted \\\" ä\"\nb = 'no \\' # ä\n");
  expect_accepted("a = \"\"\"\nä \"\" \\\"\"\" ä\"\"\"\nb = '''ä ' '' ä'''\n");
  expect_accepted("a = \"\"\"ends with two: ä\"\"\"\"\" # ä\n");
  expect_accepted("a = \"\" # ä\n");
}

TEST(UnquotedLetters, AreRefusedAnywhereElse) {
  expect_refused("ä = 1\n", "spec.toml:1");
  expect_refused("title = \"ä\"\nsﻻs = 1\n", "spec.toml:2");
  expect_refused("a = \"\"\"\n\n\"\"\" ä\n", "spec.toml:3");
  expect_refused("a = '''ä'''''\nb = ä\n", "spec.toml:2");
  expect_refused("a = \"no end\nä = 1\n", "spec.toml:2");
  expect_refused("a = 'x\\' ä\n", "spec.toml:1");
}

TEST(UnquotedLetters, AreRefusedBehindABackslashAndWhiteSpace) {
  EXPECT_THROW(refuse_unquoted_letters("a = \"\"\"x\\\n  ä\"\"\"\n", "spec.toml"), InputError);
  expect_accepted("a = \"\"\"x\\\n  yä \\\\ ä\"\"\"\n");
}

TEST(UnquotedLetters, HaveASpellingInAscii) {
  EXPECT_EQ(with_ascii_letters("a = 'x'"), "a = 'x'");
  EXPECT_EQ(with_ascii_letters("\xEF\xBB\xBF'\xC3\xA4'\n"), "\xEF\xBB\xBF'qgoh'\n");
  EXPECT_NE(with_ascii_letters("ä"), with_ascii_letters("ö")) << "they may be two keys";
}

}  // namespace
}  // namespace molgauge::experiment
