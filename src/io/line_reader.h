#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_source.h"

namespace headroom::io {

/// The lines of a text, however long the text. Takes off a UTF-8 byte order mark.
///
/// Throws InputError naming file and line: unreadable or truncated data, a NUL byte or a line of more than 64
/// MiB (then the file is not text), UTF-16.
class LineReader {
 public:
  /// Opens `path` (gzip and "-" as open_byte_source has it).
  explicit LineReader(const std::string& path);

  /// The next line without its line feed (a carriage return stays), or nothing at the end. The view holds
  /// until the next call.
  std::optional<std::string_view> next();
  /// 1-based number of the line that next() gave last; 0 before the first.
  std::size_t line() const { return line_; }
  const std::string& file() const { return file_; }

  /// Throws InputError: "FILE:LINE: reason".
  [[noreturn]] void fail(std::size_t line, const std::string& reason) const;

 private:
  bool refill();
  void check_first_line(std::string& text) const;

  std::string file_;
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t position_ = 0, filled_ = 0;
  std::string text_;
  std::size_t line_ = 0;
};

/// The line without a carriage return at its end.
std::string_view without_carriage_return(std::string_view line);
/// Without white space (blanks, tabs, line ends) at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace headroom::io
