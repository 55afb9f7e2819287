#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace headroom::cli {

/// Explains an error of CLI11 to a user who typed no misspelt word: what is missing, and the usage of the
/// command.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& problem);

/// Describes the first unknown word of a command line, which is neither a verb nor an option of the verb
/// before it, and suggests the likely word: "headroom has no verb 'encoed'. Did you mean 'encode'?". Empty if
/// every word is known. `words`: without the name of the program.
std::optional<std::string> misspelt_word(CLI::App& app, const std::vector<std::string>& words);

}  // namespace headroom::cli
