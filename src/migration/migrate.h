#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::migration {

/// The replacement of one call of the Python project.
struct MigratedCall {
  std::size_t line = 0;               ///< line of the text, from 1
  std::string program;                ///< "main.py"
  std::vector<std::string> commands;  ///< to be run in this order; empty where there is no counterpart yet
  std::vector<std::string> warnings;  ///< settings whose meaning changed or that have no counterpart, and why
};

/// The calls in a command line or a script (script_commands.h), each with its replacement. Where the
/// replacement depends on what a variable holds, it is `headroom migrate --run` with the arguments as they
/// stand, which translates and executes them at that time.
std::vector<MigratedCall> migrate(std::string_view script_or_command);

/// The script with each call replaced: its loops, variables, tests and redirections stay as they are. What
/// changed stands as comments at its beginning. A Python script stays one. Empty where there is no call in
/// it.
std::string migrated_script(std::string_view script);

/// Whether a text is a script and not one command line.
bool is_script(std::string_view text);

/// The replacement of one call whose words are known: a program, perhaps with its interpreter before it, and
/// its arguments.
MigratedCall migrate_words(const std::vector<std::string>& words);

}  // namespace headroom::migration
