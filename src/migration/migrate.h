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

/// The calls in a command line or a script (script_commands.h), each with its replacement.
std::vector<MigratedCall> migrate(std::string_view script_or_command);

}  // namespace headroom::migration
