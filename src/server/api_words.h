#pragma once

#include <string>
#include <string_view>

namespace molgauge::serve {

/// Rewrites a message of the engine for users of the API, who have no command line. "--smiles-column" becomes
/// the field "smiles_column". An option of the server becomes "the server's memory-budget".
std::string in_api_words(std::string_view message);

}  // namespace molgauge::serve
