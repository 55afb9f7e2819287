#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace headroom::cli {

/// A message on the first unknown word of a command line, which is neither a verb nor an option of the verb
/// before it, with the likely name: "there is no verb 'encoed'; did you mean 'encode'?". Empty when every
/// word is known. `words`: without the program's name.
std::optional<std::string> misspelt_word(CLI::App& app, const std::vector<std::string>& words);

}  // namespace headroom::cli
