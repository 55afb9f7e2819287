#include "base/core/text/csv.h"

#include <charconv>

namespace molgauge {
namespace {

bool is_number(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
  }
  double number = 0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc() && stop == text.data() + text.size();
}

bool looks_like_a_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos &&
         !is_number(text);
}

std::string quoted_where_needed(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "\"";
  for (const char letter : text) {
    quoted += letter;
    if (letter == '"') {
      quoted += '"';
    }
  }
  return quoted + '"';
}

}  // namespace

std::string csv_field(std::string_view text, CsvTexts texts) {
  return texts == CsvTexts::spreadsheet_safe && looks_like_a_formula(text)
             ? quoted_where_needed("'" + std::string(text))
             : quoted_where_needed(text);
}

}  // namespace molgauge
