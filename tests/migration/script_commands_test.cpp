#include "migration/script_commands.h"

#include <gmock/gmock.h>

#include "migration/shell_words.h"

namespace headroom::migration {
namespace {

using testing::ElementsAre;

std::vector<std::string> only(std::string_view text) {
  const auto commands = find_script_commands(text);
  EXPECT_EQ(commands.size(), 1u);
  return commands.empty() ? std::vector<std::string>{} : commands.front().words;
}

TEST(ScriptCommands, QuotesVariablesAndContinuedLinesAreWords) {
  EXPECT_THAT(
      only("CUDA_VISIBLE_DEVICES=0 python -u ./src/main.py --a 'b c' \\\n  --d \"$E f\" ${G:-h i} # --no\n"),
      ElementsAre("main.py", "--a", "b c", "--d", "$E f", "${G:-h i}"));
}

/// Words as text, and again as a shell needs them.
std::vector<std::string> written(std::string_view text) {
  std::vector<std::string> words;
  for (const auto& word : only(text)) {
    words.push_back(shell_word(word));
  }
  return words;
}

TEST(ScriptCommands, WhatIsQuotedIsText) {
  EXPECT_THAT(written(R"(python main.py '$(touch pwned)' '$A' "\$B" \$C "c $")"),
              ElementsAre("main.py", "'$(touch pwned)'", "'$A'", "'$B'", "'$C'", "'c $'"));
  EXPECT_THAT(written(R"(python main.py '`a`'$B" c\`\"\\d" '$('$E)"),
              ElementsAre("main.py", R"("\`a\`${B} c\`\"\\d")", R"("\$($E")"));
}

TEST(ScriptCommands, WhatTheShellPutsInStays) {
  EXPECT_THAT(
      written(R"x(python main.py "runs/$(date +%F)" "`date`" ${A:-"b c"} "$D e")x"),
      ElementsAre("main.py", R"x("runs/$(date +%F)")x", R"x("$(date)")x", R"("${A:-"b c"}")", R"("$D e")"));
}

TEST(ScriptCommands, AVariableEndsWithItsQuotes) {
  EXPECT_THAT(written(R"x(python main.py "$A"_b $A"b" "$A"/c "$(basename "$f" .json)_d" $(date +%F))x"),
              ElementsAre("main.py", "\"${A}_b\"", "\"${A}b\"", "\"$A/c\"", R"x("$(basename "$f" .json)_d")x",
                          R"x("$(date +%F)")x"));
}

TEST(ScriptCommands, CallsInArraysAndTextsAreFound) {
  const Script script =
      read_script("C=(python main.py --a)\nD=\"python -u ./main.py --b\"\necho 'run main.py'\n");
  ASSERT_EQ(script.commands.size(), 1u);
  EXPECT_EQ(script.commands.front().place, Place::data);
  ASSERT_EQ(script.mentions.size(), 1u);
  EXPECT_EQ(script.text.substr(script.mentions[0].begin, script.mentions[0].end - script.mentions[0].begin),
            "python -u ./main.py");
}

TEST(ScriptCommands, ABackslashInQuotesEscapesOnlyWhatItCan) {
  EXPECT_THAT(only(R"(python main.py "F/C=C\F" 'a\b' "a\"b")"),
              ElementsAre("main.py", R"(F/C=C\F)", R"(a\b)", "a\"b"));
}

TEST(ScriptCommands, RedirectionsAreNoArguments) {
  EXPECT_THAT(only("if python3 main.py --a b > log.txt 2>&1; then echo; fi"),
              ElementsAre("main.py", "--a", "b"));
  EXPECT_THAT(only("python main.py --a 1 2>/dev/null | tee x"), ElementsAre("main.py", "--a", "1"));
}

TEST(ScriptCommands, LinesAreCounted) {
  const auto commands =
      find_script_commands("#!/bin/bash\n\npython main.py --a \\\n b\npython prediction.py\n");
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_EQ(commands[0].line, 3u);
  EXPECT_EQ(commands[1].line, 5u);
}

TEST(ScriptCommands, WhatOnlyNamesAProgramIsNoCall) {
  EXPECT_TRUE(find_script_commands("if [[ ! -f main.py ]]; then echo 'main.py is missing'; fi").empty());
  EXPECT_TRUE(find_script_commands("# python main.py --mode train\n").empty());
}

TEST(ScriptCommands, ListsOfAPythonScriptAreCalls) {
  EXPECT_THAT(
      only("#!/usr/bin/env python3\nseeds = [1, 2]\ncmd = [\n  sys.executable, \"main.py\",\n"
           "  \"--seed\", str(seed),  # 10 of them\n  '--dataset', dataset, \"--lr\", str(args.lr)\n]\n"),
      ElementsAre("main.py", "--seed", "${seed}", "--dataset", "${dataset}", "--lr", "${args_lr}"));
}

TEST(ScriptCommands, StringsOfAPythonScriptStayWhole) {
  EXPECT_THAT(
      written("#!/usr/bin/env python3\n[ \"python\", \"main.py\",\n \"runs/my run\", 'a '  \"b\", \"\",\n"
              " \"$(touch pwned)\", \"runs/\" + name, f\"{a}$(b)\" ]\n"),
      ElementsAre("main.py", "'runs/my run'", "'a b'", "''", "'$(touch pwned)'", "\"${runs__name}\"",
                  "\"${f_a___b_}\""));
}

TEST(ScriptCommands, UnfinishedTextsEnd) {
  for (const char* text : {"python main.py \"`a", "python main.py \"$(a", "python main.py \"\\",
                           "python main.py 'a", "python main.py \\", "python main.py ${A",
                           "#!python\n[\"main.py\", \"", "#!python\n[\"main.py\" #", "#!python\n["}) {
    find_script_commands(text);
  }
}

}  // namespace
}  // namespace headroom::migration
