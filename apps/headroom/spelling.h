#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace headroom::cli {

/// Describes the first unknown word of a command line, which is neither a verb nor an option of the verb
/// before it, and suggests the likely word: "there is no verb 'encoed'; did you mean 'encode'?". Empty if
/// every word is known. `words`: without the name of the program.
std::optional<std::string> misspelt_word(CLI::App& app, const std::vector<std::string>& words);

}  // namespace headroom::cli
