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

/// Stands in a word for a `$` that is text (quoted, escaped, or of a Python string): a `$` itself begins what
/// the shell puts in. No word of a shell holds this character.
inline constexpr char kTextDollar = '\0';

/// Finds calls in a command line or a shell script (quotes, continued lines, comments; variables and "$(...)"
/// stay as they stand: "$SEED"), and in a Python script that keeps them as lists:
/// ["main.py", "--seed", str(seed)] gives "${seed}". Nothing is run or expanded.
std::vector<ScriptCommand> find_script_commands(std::string_view text);

/// A word of ScriptCommand as a shell needs it written: what the shell put in before, it puts in again, in
/// double quotes; the rest is text.
std::string shell_word(const std::string& word);

/// The same for a word that a shell has read already: variables in it ("$SEED", "${SEED}") are meant to stay,
/// anything else is text.
std::string shell_quoted(const std::string& word);

/// A word of ScriptCommand for a remark: in one line, with `$` for kTextDollar.
std::string readable(std::string word);

}  // namespace headroom::migration
