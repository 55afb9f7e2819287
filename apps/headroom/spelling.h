#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace headroom::cli {

/// The first word of a command line that is no verb and no option of the verb before it, as a message with
/// the name that was probably meant: "there is no verb 'encoed'; did you mean 'encode'?". Nothing where every
/// word is known. `words`: without the program's name.
std::optional<std::string> misspelt_word(CLI::App& app, const std::vector<std::string>& words);

}  // namespace headroom::cli
