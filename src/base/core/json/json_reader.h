#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace molgauge {

// nlohmann::json handles nested values recursively, so a file of 100,000 brackets would overflow the stack.
// All code therefore reads JSON through the functions of this header.

/// Maximum depth of nested objects and arrays. The files that Molgauge reads and writes have at most ten
/// levels.
inline constexpr std::size_t kDeepestJson = 200;

/// Whether objects and arrays are nested at most kDeepestJson deep. The text need not be valid JSON.
bool is_shallow_json(std::string_view text);

/// Throws nlohmann::json::parse_error if objects and arrays are nested deeper than kDeepestJson. Call it
/// before nlohmann::json::parse() with a callback.
void require_shallow_json(std::string_view text);

/// Reads JSON. Throws nlohmann::json::parse_error if the text is not JSON or is nested too deep.
template <typename Json = nlohmann::json>
Json parse_json(std::string_view text);

/// Reads JSON. Does not throw, but returns a discarded value (nlohmann::json::is_discarded) if the text is
/// not JSON or is nested too deep.
template <typename Json = nlohmann::json>
Json parse_json_or_nothing(std::string_view text);

// Instantiated in only one source file, because each instantiation takes a second to compile.
extern template nlohmann::json parse_json(std::string_view text);
extern template nlohmann::ordered_json parse_json(std::string_view text);
extern template nlohmann::json parse_json_or_nothing(std::string_view text);
extern template nlohmann::ordered_json parse_json_or_nothing(std::string_view text);

/// The message of the JSON library without the name of the exception. For text that is not JSON: "invalid
/// JSON: parse error at line 1, column 2: ...". For JSON with unexpected content, for example: "key 'seed'
/// not found". The caller adds the name of the file before it, and the fix after it.
std::string json_problem(const nlohmann::json::exception& failure);

}  // namespace molgauge
