#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace molgauge::options {

/// Returns a message with the options in the words of an interface. Messages name options as on the command
/// line ("--smiles-column"). The function replaces each name that a table of options contains by
/// `spelling(name)`. The argument is the name after the dashes ("smiles-column"). Commands in a message, such
/// as "molgauge store prune --damaged", do not change, and neither does other text, such as the SMILES C--C.
std::string with_options_spelled(std::string_view message,
                                 const std::function<std::string(std::string_view name)>& spelling);

/// The same with the keys of JSON requests, which Python uses as well: "smiles_column".
std::string with_options_as_keys(std::string_view message);

}  // namespace molgauge::options
