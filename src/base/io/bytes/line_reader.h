#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/io/bytes/byte_source.h"

namespace molgauge::io {

/// The largest number of bytes of a line that is kept in memory.
inline constexpr std::size_t kLongestLine = std::size_t{16} << 20;

enum class LongLines {
  are_errors,  ///< a line that is too long is an error, because the file is not text
  are_cut,     ///< only the beginning of a line that is too long is returned
};

/// A line that was too long. Only its beginning was kept.
struct CutLine {
  std::uint64_t bytes = 0;   ///< length of the whole line
  std::uint64_t quotes = 0;  ///< number of quotation marks in the line
};

/// Reads the lines of a text of any length. Removes a UTF-8 byte order mark, and converts UTF-16 with a byte
/// order mark to UTF-8. A line that is not UTF-8 is read as Latin-1. Lines end in LF or CRLF. If the
/// first line of a file ends in CR alone, as old spreadsheets write it, CR ends all of its lines.
///
/// Throws InputError with file and line for unreadable or truncated data, NUL bytes, and lines of
/// more than kLongestLine bytes unless long lines are cut.
class LineReader {
 public:
  /// Opens `path` (gzip and "-" as in open_byte_source()). Files that are compressed with bzip2, xz, zstd or
  /// zip are recognised by their first bytes and unpacked (open_packed()).
  explicit LineReader(const std::string& path, LongLines long_lines = LongLines::are_errors);
  /// Reads a source. `name`: the name of the file for messages.
  LineReader(std::string name, std::unique_ptr<ByteSource> source, LongLines long_lines);

  /// Returns the next line without its line feed, or nothing at the end. A carriage return stays. The view is
  /// valid until the next call.
  std::optional<std::string_view> next();
  /// 1-based number of the line that next() last returned. 0 before the first call.
  std::size_t line() const { return line_; }
  const std::string& file() const { return file_; }
  /// Information about a cut line. It is set if next() returned only the first hundred bytes of a line.
  const std::optional<CutLine>& cut() const { return cut_; }

  /// Throws InputError: "FILE:LINE: reason".
  [[noreturn]] void fail(std::size_t line, const std::string& reason) const;

 private:
  bool refill();
  /// Unpacks a file that may_be_packed().
  void unpack();
  /// Whether the first line in the buffer ends in CR alone. Reads until the line ends or the buffer is full.
  bool begins_with_return_line();
  void append(std::string_view piece);
  void remove_byte_order_mark();

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

/// Returns the message for a record that cannot be read because its line or text has more than `most` bytes.
std::string too_long(std::uint64_t bytes, std::uint64_t most);

/// The line without a carriage return at its end.
std::string_view without_carriage_return(std::string_view line);
/// The text without white space (blanks, tabs, line ends) at both ends.
std::string_view trimmed(std::string_view text);

}  // namespace molgauge::io
