#pragma once

#include <string>
#include <string_view>

namespace headroom {

/// How texts stand in CSV files.
enum class CsvTexts {
  exact,
  /// With an apostrophe before a text that a spreadsheet would take for a formula: one that begins with = + -
  /// @, a tab or a return and is no number. What reads the file gets another text than was there.
  spreadsheet_safe,
};

/// Of an option of a request.
constexpr CsvTexts csv_texts(bool spreadsheet_safe) {
  return spreadsheet_safe ? CsvTexts::spreadsheet_safe : CsvTexts::exact;
}

/// A field of a CSV line as RFC 4180 wants it: quoted when it holds a comma, a quote or a line break.
std::string csv_field(std::string_view text, CsvTexts texts = CsvTexts::exact);

}  // namespace headroom
