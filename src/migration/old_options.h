#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headroom::migration {

/// The programs of the Python project that take options.
enum class OldProgram { energy, generalisation, predictor, baselines, experiments };

/// "main.py" and the like.
const char* to_string(OldProgram program);

/// One option of the Python project, and its counterpart.
struct OldOption {
  std::string_view
      programs;             ///< letters: e energy, g generalisation, p predictor, b baselines, x experiments
  std::string_view name;    ///< "--dpo_beta"
  std::string_view preset;  ///< its default; empty: none
  std::string_view verbs;   ///< letters of the verbs that take the counterpart: t train, v evaluate, s score,
                            ///< b baseline, x experiment
  std::string_view counterpart;  ///< "--dpo-beta", "BENCHMARK"; empty: none
  std::string_view explanation;  ///< what changed, or why there is none; empty: no change
  bool flag = false;             ///< takes no value
  bool list = false;             ///< takes several values
};

/// All options, in the order of the programs' help.
std::span<const OldOption> old_options();

/// The entry of a program's option; null when it has no such option.
const OldOption* find_old_option(OldProgram program, std::string_view name);

/// The table in Markdown, as docs/migrating.md has it.
std::string old_options_as_markdown();

}  // namespace headroom::migration
