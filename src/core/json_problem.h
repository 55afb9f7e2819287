#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace headroom {

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
