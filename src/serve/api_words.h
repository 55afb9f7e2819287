#pragma once

#include <string>
#include <string_view>

namespace headroom::serve {

/// A message of the engine for users of the API, who have no command line: "--smiles-column" becomes the
/// field "smiles_column", and an option that only the server was started with becomes "the server's
/// memory-budget".
std::string in_api_words(std::string_view message);

}  // namespace headroom::serve
