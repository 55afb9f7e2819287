#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace headroom::cli {

/// Explains an error of CLI11 for a command line without misspelt words. The message has the missing part and
/// the usage of the command.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& problem);

/// Describes the first unknown word of a command line and suggests a similar word: "headroom has no verb
/// 'encoed'. Did you mean 'encode'?". A word is unknown if it is neither a verb nor an option of its verb.
/// Empty if every word is known. `words`: the command line without the name of the program.
std::optional<std::string> misspelt_word(CLI::App& app, const std::vector<std::string>& words);

}  // namespace headroom::cli
