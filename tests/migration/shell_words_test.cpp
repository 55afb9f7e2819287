#include "migration/shell_words.h"

#include <gtest/gtest.h>

namespace headroom::migration {
namespace {

TEST(ShellQuoted, OnlyWhatNeedsIt) {
  EXPECT_EQ(shell_quoted("data/x_1.json"), "data/x_1.json");
  EXPECT_EQ(shell_quoted("C(=O)O"), "'C(=O)O'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted("$SEED"), "\"$SEED\"");
  EXPECT_EQ(shell_quoted("${SEED}"), "\"${SEED}\"");
  EXPECT_EQ(shell_quoted("$(touch pwned)"), "'$(touch pwned)'");
  EXPECT_EQ(shell_quoted("$SEED ${A:-$(touch pwned)}"), R"("$SEED \${A:-\$(touch pwned)}")");
  EXPECT_EQ(shell_quoted(""), "''");
}

}  // namespace
}  // namespace headroom::migration
