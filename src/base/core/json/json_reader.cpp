#include "base/core/json/json_reader.h"

#include <string>

#include "base/core/text/printable.h"
#include "base/core/text/utf8.h"

namespace molgauge {
namespace {

/// The position after the end of a string, or the end of the input if the string is not closed. `quote`:
/// position of its opening quotation mark.
std::size_t end_of_text(std::string_view text, std::size_t quote) {
  for (std::size_t place = quote + 1;;) {
    place = text.find_first_of("\"\\", place);
    if (place == std::string_view::npos) {
      return text.size();
    }
    if (text[place] == '"') {
      return place + 1;
    }
    place += 2;
  }
}

/// The position at which the nesting becomes too deep, or the end of the input.
std::size_t first_too_deep(std::string_view text) {
  std::size_t depth = 0, place = 0;
  while (place < text.size()) {
    switch (text[place]) {
      case '"':
        place = end_of_text(text, place);
        continue;
      case '[':
      case '{':
        if (++depth > kDeepestJson) {
          return place;
        }
        break;
      case ']':
      case '}':
        depth -= depth > 0 ? 1 : 0;
        break;
      default:
        break;
    }
    ++place;
  }
  return text.size();
}

/// Longer error messages of nlohmann::json are cut to this number of bytes. Such a message repeats the last
/// token of the text, which may be long.
constexpr std::size_t kMaxMessage = 300;

}  // namespace

bool is_shallow_json(std::string_view text) { return first_too_deep(text) >= text.size(); }

void require_shallow_json(std::string_view text) {
  if (const std::size_t place = first_too_deep(text); place < text.size()) {
    throw nlohmann::json::parse_error::create(
        101, place, "nested deeper than " + std::to_string(kDeepestJson) + " objects and arrays", nullptr);
  }
}

template <typename Json>
Json parse_json(std::string_view text) {
  require_shallow_json(text);
  return Json::parse(text);
}

template <typename Json>
Json parse_json_or_nothing(std::string_view text) {
  return is_shallow_json(text) ? Json::parse(text, nullptr, false) : Json(Json::value_t::discarded);
}

template nlohmann::json parse_json(std::string_view text);
template nlohmann::ordered_json parse_json(std::string_view text);
template nlohmann::json parse_json_or_nothing(std::string_view text);
template nlohmann::ordered_json parse_json_or_nothing(std::string_view text);

std::string json_problem(const nlohmann::json::exception& failure) {
  std::string_view message = failure.what();
  if (const std::size_t end_of_name = message.find("] "); end_of_name != std::string_view::npos) {
    message.remove_prefix(end_of_name + 2);
  }
  const bool is_syntax = dynamic_cast<const nlohmann::json::parse_error*>(&failure) != nullptr;
  return printable((is_syntax ? "invalid JSON: " : "") + std::string(utf8_beginning(message, kMaxMessage)));
}

}  // namespace molgauge
