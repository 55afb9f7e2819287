#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "io/line_reader.h"

namespace headroom::io {

struct CsvRow {
  std::vector<std::string> fields;
  std::size_t line = 0;  ///< 1-based line at which the row starts
};

/// Rows of separated values: RFC 4180 with any separator; quoted fields may span lines, lines may end in LF
/// or CRLF. A quote inside an unquoted field is an ordinary letter. Empty lines are passed over. Throws
/// InputError naming file and line on a quote that is not closed and on text after a closing quote.
class CsvReader {
 public:
  CsvReader(const std::string& path, char separator) : lines_(path), separator_(separator) {}

  std::optional<CsvRow> next();
  const LineReader& lines() const { return lines_; }

 private:
  std::string quoted_field(std::string_view& rest, std::size_t row_line);

  LineReader lines_;
  char separator_;
};

}  // namespace headroom::io
