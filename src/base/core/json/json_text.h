#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace molgauge {

// A file name may contain any bytes, but JSON is UTF-8. Invalid bytes therefore become U+FFFD.
//
// The functions are not inline, because each source file that instantiates the writer of nlohmann::json takes
// a third of a second longer to compile.

/// Returns JSON on one line.
std::string json_line(const nlohmann::json& json);
std::string json_line(const nlohmann::ordered_json& json);

/// Returns JSON for people: a line for each field, and a line break at the end.
std::string json_text(const nlohmann::json& json);
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace molgauge
