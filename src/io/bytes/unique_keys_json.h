#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace headroom::io {

/// Parses JSON and refuses an object that has a key twice (which the library would let pass, keeping the
/// last). Throws InputError, its text starting with `what`.
nlohmann::json parse_json_with_unique_keys(std::string_view text, const std::string& what);

}  // namespace headroom::io
