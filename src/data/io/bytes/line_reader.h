#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/io/bytes/byte_source.h"

namespace headroom::io {

/// Bytes of a line beyond which it is not held in memory.
inline constexpr std::size_t kLongestLine = std::size_t{16} << 20;

enum class LongLines {
  are_errors,  ///< then the file is not text
  are_cut,     ///< the rest is passed over
};

/// A line of which only the beginning was kept.
struct CutLine {
  std::uint64_t bytes = 0;   ///< all of it
  std::uint64_t quotes = 0;  ///< how many " it holds
};

/// The lines of a text, however long the text. Takes off a UTF-8 byte order mark. Lines end in LF or CRLF. If
/// the first line of a file ends in CR alone, as old spreadsheets write it, CR ends all of its lines.
///
/// Throws InputError naming file and line: unreadable or truncated data, a NUL byte, a line of more than
/// kLongestLine bytes unless they are cut, UTF-16.
class LineReader {
 public:
  /// Opens `path` (gzip and "-" as open_byte_source has it).
  explicit LineReader(const std::string& path, LongLines long_lines = LongLines::are_errors);

  /// Returns the next line without its line feed, or nothing at the end. A carriage return stays. The view is
  /// valid until the next call.
  std::optional<std::string_view> next();
  /// 1-based number of the line that next() gave last; 0 before the first.
  std::size_t line() const { return line_; }
  const std::string& file() const { return file_; }
  /// Set when next() returned only the beginning of a line, a hundred bytes.
  const std::optional<CutLine>& cut() const { return cut_; }

  /// Throws InputError: "FILE:LINE: reason".
  [[noreturn]] void fail(std::size_t line, const std::string& reason) const;

 private:
  bool refill();
  /// Whether the first line in the buffer ends in CR alone. Reads on until the line ends or the
  /// buffer is full.
  bool begins_with_return_line();
  void append(std::string_view piece);
  void check_first_line(std::string& text) const;

  std::string file_;
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::size_t position_ = 0, filled_ = 0;
  LongLines long_lines_;
  bool returns_end_lines_ = false;
  std::string text_;
  std::optional<CutLine> cut_;
  std::size_t line_ = 0;
};

/// The reason why a record cannot be read: its line, or text, has more bytes (or characters) than allowed.
std::string too_long(std::uint64_t bytes, std::uint64_t most);

/// The line without a carriage return at its end.
std::string_view without_carriage_return(std::string_view line);
/// Without white space (blanks, tabs, line ends) at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace headroom::io
