#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace headroom {

// nlohmann::json works on nested values by recursion: a file of 100,000 brackets would overflow the stack.
// All JSON is read through these.

/// Objects and arrays within each other. The deepest file of ours, or of those that we read, has ten.
inline constexpr std::size_t kDeepestJson = 200;

/// Whether objects and arrays stand within each other no deeper than that. The text need not be valid.
bool is_shallow_json(std::string_view text);

/// Throws nlohmann::json::parse_error where it is deeper. Before a parse with a callback.
void require_shallow_json(std::string_view text);

/// Throws nlohmann::json::parse_error where the text is no JSON, or nested too deep.
template <typename Json = nlohmann::json>
Json parse_json(std::string_view text) {
  require_shallow_json(text);
  return Json::parse(text);
}

/// The same; a discarded value, which is of no type, takes the place of the exception.
template <typename Json = nlohmann::json>
Json parse_json_or_nothing(std::string_view text) {
  return is_shallow_json(text) ? Json::parse(text, nullptr, false) : Json(Json::value_t::discarded);
}

/// What the JSON library found, in our own words: `id` and `what` are those of its exception, `byte` is where
/// it stopped, from 1, 0 where it does not say. "no JSON from byte 1 on: a value is expected, such as {...}"
/// for text that is none; "the field 'seed' is missing" and the like for text that is JSON and something else
/// than was asked for.
std::string json_problem(int id, const std::string& what, std::size_t byte);

/// The same. To be put after the file's name (and line, where it is known) and before what to do about it.
inline std::string json_problem(const nlohmann::json::exception& failure) {
  const auto* const syntax = dynamic_cast<const nlohmann::json::parse_error*>(&failure);
  return json_problem(failure.id, failure.what(), syntax == nullptr ? 0 : syntax->byte);
}

}  // namespace headroom
