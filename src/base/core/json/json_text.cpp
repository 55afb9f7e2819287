#include "base/core/json/json_text.h"

namespace molgauge {
namespace {

template <typename Json>
std::string line_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <typename Json>
std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string json_line(const nlohmann::json& json) { return line_of(json); }
std::string json_line(const nlohmann::ordered_json& json) { return line_of(json); }

std::string json_text(const nlohmann::json& json) { return text_of(json); }
std::string json_text(const nlohmann::ordered_json& json) { return text_of(json); }

}  // namespace molgauge
