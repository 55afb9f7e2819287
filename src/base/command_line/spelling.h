#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace molgauge::cli {

/// Returns the message for an error that CLI11 found in a command line without misspelt words. If an argument
/// is missing, the message also shows the usage of the command.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& problem);

/// Returns a message about the first unknown word of a command line, with a similar word: "molgauge has no
/// verb 'encoed'. Did you mean 'encode'?". A word is unknown if it is neither a verb nor an option of its
/// verb. Returns nothing if all words are known. `words`: the command line without the name of the program.
std::optional<std::string> misspelt_word(CLI::App& app, const std::vector<std::string>& words);

}  // namespace molgauge::cli
