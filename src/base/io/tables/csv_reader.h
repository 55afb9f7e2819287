#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/io/bytes/line_reader.h"

namespace molgauge::io {

struct CsvRow {
  std::vector<std::string> fields;
  std::size_t line = 0;  ///< 1-based line at which the row starts
  /// The reason why the row could not be read, usually empty. If set, `fields` has only the beginning of the
  /// text.
  std::string unreadable = {};
};

/// Reads rows of separated values: RFC 4180 with any separator. Quoted fields may span lines. Lines may end
/// in LF or CRLF. A quote inside an unquoted field is an ordinary letter. Empty lines are skipped. Throws
/// InputError naming file and line for a quote that is not closed and for text after a closing quote.
class CsvReader {
 public:
  /// A line of more than kLongestLine bytes is an error. If long lines are cut, its row is `unreadable`
  /// instead.
  CsvReader(const std::string& path, char separator, LongLines long_lines = LongLines::are_errors)
      : lines_(path, long_lines), separator_(separator) {}

  /// Returns the separator for a first line, or nothing if the line is not part of the table.
  using ChooseSeparator = std::function<std::optional<char>(std::string_view line)>;
  CsvReader(LineReader lines, ChooseSeparator choose)
      : lines_(std::move(lines)), choose_(std::move(choose)) {}

  std::optional<CsvRow> next();
  const LineReader& lines() const { return lines_; }
  /// Known after the first row.
  char separator() const { return separator_; }

 private:
  /// Returns the next line that belongs to a row, or nothing at the end.
  std::optional<std::string_view> next_line();
  CsvRow unreadable_row(std::string_view start) const;
  std::string quoted_field(std::string_view& rest, std::size_t row_line);

  LineReader lines_;
  char separator_ = ',';
  ChooseSeparator choose_;  ///< empty after the first row
};

}  // namespace molgauge::io
