#include "core/json_reader.h"

#include <string>

#include <fmt/format.h>

#include "core/printable.h"

namespace headroom {
namespace {

/// The position after the text whose content begins after `quote`; the end of the input if it is not closed.
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

/// The position where the nesting becomes too deep; the end where it does not.
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

// Numbers of the library's exceptions, which are documented and stable.
constexpr int kParseErrors = 100, kAfterParseErrors = 200;
constexpr int kTypeMismatch = 302, kTooShort = 401, kMissing = 403, kNumberTooLarge = 406;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// The text between two others; empty where they do not occur.
std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
  const std::size_t start = text.find(before);
  if (start == std::string_view::npos) {
    return {};
  }
  text.remove_prefix(start + before.size());
  return text.substr(0, text.rfind(after));
}

const char* expected_in(std::string_view what) {
  if (has(what, "while parsing object key")) {
    return "a name in double quotes or '}'";
  }
  if (has(what, "while parsing object separator")) {
    return "':'";
  }
  if (has(what, "while parsing object")) {
    return "',' or '}'";
  }
  if (has(what, "while parsing array")) {
    return "',' or ']'";
  }
  return "a value, such as {...}, [...], a number or a text in double quotes,";
}

std::string syntax_problem(std::string_view what, std::size_t byte) {
  if (has(what, "unexpected end of input")) {
    return byte <= 1 ? "is no JSON: it is empty"
                     : fmt::format("is no whole JSON: it breaks off at byte {}", byte - 1);
  }
  if (const auto nested = what.find("nested deeper"); nested != std::string_view::npos) {
    return fmt::format("is no JSON of ours: it is {}", what.substr(nested));
  }
  if (has(what, "expected end of input")) {
    return fmt::format("is no JSON: something follows after its end, at byte {}", byte);
  }
  if (has(what, "UTF-8")) {
    return fmt::format("is no JSON: byte {} is no UTF-8", byte);
  }
  return fmt::format("is no JSON: {} is expected at byte {}", expected_in(what), byte);
}

std::string type_problem(std::string_view what) {
  const auto wanted = between(what, "type must be ", ", but is ");
  if (!wanted.empty()) {
    return fmt::format("a field is of the type {} where {} is expected", what.substr(what.rfind(' ') + 1),
                       wanted);
  }
  // The messages of checked_json.h.
  if (const auto own = what.find("is no whole number"); own != std::string_view::npos) {
    return printable("a field " + std::string(what.substr(own)));
  }
  return "it is built otherwise: a list, a text or a number stands where an object with fields is expected, "
         "or the other way round";
}

}  // namespace

bool is_shallow_json(std::string_view text) { return first_too_deep(text) >= text.size(); }

void require_shallow_json(std::string_view text) {
  if (const std::size_t place = first_too_deep(text); place < text.size()) {
    throw nlohmann::json::parse_error::create(
        101, place, "nested deeper than " + std::to_string(kDeepestJson) + " objects and arrays", nullptr);
  }
}

std::string json_problem(int id, const std::string& what, std::size_t byte) {
  if (id > kParseErrors && id < kAfterParseErrors) {
    return syntax_problem(what, byte);
  }
  switch (id) {
    case kMissing:
      return printable(fmt::format("the field '{}' is missing", between(what, "key '", "' not found")));
    case kTooShort:
      return "a list in it is too short";
    case kNumberTooLarge:
      return "a number in it is too large";
    case kTypeMismatch:
      return type_problem(what);
    default:
      return type_problem("");
  }
}

}  // namespace headroom
