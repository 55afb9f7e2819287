#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::migration {

/// A call of one of the Python project's programs, found in a text.
struct ScriptCommand {
  std::size_t line = 0;  ///< 1-based line of the text at which it starts
  /// The program's name without folders, then its arguments (shell_words.h).
  std::vector<std::string> words;
};

/// Finds calls in a command line or a shell script (quotes, continued lines, comments; variables and "$(...)"
/// stay as they stand: "$SEED"), and in a Python script that keeps them as lists:
/// ["main.py", "--seed", str(seed)] gives "${seed}". Nothing is run or expanded.
std::vector<ScriptCommand> find_script_commands(std::string_view text);

}  // namespace headroom::migration
