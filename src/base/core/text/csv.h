#pragma once

#include <string>
#include <string_view>

namespace molgauge {

/// The form of texts in CSV files.
enum class CsvTexts {
  exact,
  /// An apostrophe is written before each text that a spreadsheet would interpret as a formula. Such a text
  /// is not a number and begins with =, +, -, @, a tab or a carriage return. Programs that read the file get
  /// the changed text.
  spreadsheet_safe,
};

/// Converts the option `spreadsheet_safe` of a request.
constexpr CsvTexts csv_texts(bool spreadsheet_safe) {
  return spreadsheet_safe ? CsvTexts::spreadsheet_safe : CsvTexts::exact;
}

/// A field of a CSV line (RFC 4180). It is quoted if it contains a comma, a quote or a line break.
std::string csv_field(std::string_view text, CsvTexts texts = CsvTexts::exact);

}  // namespace molgauge
