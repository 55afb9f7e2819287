#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::migration {

/// A call of one of the Python project's programs, found in a text.
struct ScriptCommand {
  std::size_t line = 0;            ///< 1-based line of the text at which it starts
  std::vector<std::string> words;  ///< the program's name without folders, then its arguments
};

/// Finds calls in a command line or a shell script (quotes, continued lines, comments, variables, which stay
/// as they stand: "$SEED"), and in a Python script that keeps them as lists: ["main.py", "--seed", str(seed)]
/// gives "${seed}". Nothing is run or expanded.
std::vector<ScriptCommand> find_script_commands(std::string_view text);

/// The word as a shell needs it written; words with variables go into double quotes.
std::string shell_quoted(const std::string& word);

}  // namespace headroom::migration
