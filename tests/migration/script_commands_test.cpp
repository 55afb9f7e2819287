#include "migration/script_commands.h"

#include <gmock/gmock.h>

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

TEST(ScriptCommands, UnfinishedTextsEnd) {
  for (const char* text : {"python main.py 'a", "python main.py \\", "python main.py ${A",
                           "#!python\n[\"main.py\", \"", "#!python\n[\"main.py\" #", "#!python\n["}) {
    find_script_commands(text);
  }
}

TEST(ShellQuoted, OnlyWhatNeedsIt) {
  EXPECT_EQ(shell_quoted("data/x_1.json"), "data/x_1.json");
  EXPECT_EQ(shell_quoted("C(=O)O"), "'C(=O)O'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted("$SEED"), "\"$SEED\"");
  EXPECT_EQ(shell_quoted(""), "''");
}

}  // namespace
}  // namespace headroom::migration
