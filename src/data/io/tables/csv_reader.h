#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/io/bytes/line_reader.h"

namespace headroom::io {

struct CsvRow {
  std::vector<std::string> fields;
  std::size_t line = 0;  ///< 1-based line at which the row starts
  /// The reason why the row has only the beginning of its text and no fields; else empty.
  std::string unreadable = {};
};

/// Rows of separated values: RFC 4180 with any separator; quoted fields may span lines, lines may end in LF
/// or CRLF. A quote inside an unquoted field is an ordinary letter. Empty lines are passed over. Throws
/// InputError naming file and line on a quote that is not closed and on text after a closing quote.
class CsvReader {
 public:
  /// A row that is one line of more than kLongestLine bytes is an error, or `unreadable` where they are cut.
  CsvReader(const std::string& path, char separator, LongLines long_lines = LongLines::are_errors)
      : lines_(path, long_lines), separator_(separator) {}

  std::optional<CsvRow> next();
  const LineReader& lines() const { return lines_; }

 private:
  CsvRow unreadable_row(std::string_view start) const;
  std::string quoted_field(std::string_view& rest, std::size_t row_line);

  LineReader lines_;
  char separator_;
};

}  // namespace headroom::io
