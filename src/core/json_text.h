#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace headroom {

// A file's name may be any bytes; JSON is UTF-8. Invalid bytes become U+FFFD and do not cause an exception.

/// JSON on one line.
template <typename Json>
std::string json_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// JSON as a file for people: a line for each field, and the line break at the end.
template <typename Json>
std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace headroom
