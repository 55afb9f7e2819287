#include "base/io/bytes/line_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/shown_path.h"
#include "base/core/text/utf8.h"
#include "base/io/bytes/byte_source.h"
#include "base/io/bytes/packed_source.h"

namespace molgauge::io {
namespace {

constexpr std::string_view kLittleEndian = "\xff\xfe", kBigEndian = "\xfe\xff";
constexpr char32_t kReplacement = 0xfffd;

bool is_first_half(char32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool is_second_half(char32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

void append_utf8(char32_t letter, std::string& text) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((letter >> shift) & 0x3f)); };
  if (letter < 0x80) {
    text += static_cast<char>(letter);
  } else if (letter < 0x800) {
    text += static_cast<char>(0xc0 | (letter >> 6));
    tail(0);
  } else if (letter < 0x10000) {
    text += static_cast<char>(0xe0 | (letter >> 12));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xf0 | (letter >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

class Utf16Source final : public ByteSource {
 public:
  Utf16Source(std::string start, std::unique_ptr<ByteSource> rest)
      : is_little_(start.starts_with(kLittleEndian)),
        raw_(start.substr(kLittleEndian.size())),
        rest_(std::move(rest)) {}

  std::size_t read(std::span<char> target) override {
    while (text_.empty() && !is_at_end_) {
      convert();
      append_raw();
    }
    const std::size_t count = std::min(text_.size(), target.size());
    std::copy_n(text_.begin(), count, target.begin());
    text_.erase(0, count);
    return count;
  }

 private:
  void append_raw() {
    std::array<char, 1 << 14> piece;
    const std::size_t count = rest_->read(piece);
    raw_.append(piece.data(), count);
    if (count == 0) {
      convert();
      if (first_half_) {
        append_utf8(kReplacement, text_);
      }
      if (!raw_.empty()) {
        throw InputError("the UTF-16 text ends in the middle of a character");
      }
      is_at_end_ = true;
    }
  }

  void convert() {
    std::size_t i = 0;
    for (; i + 1 < raw_.size(); i += 2) {
      const auto one = static_cast<unsigned char>(raw_[i]), two = static_cast<unsigned char>(raw_[i + 1]);
      append_unit(is_little_ ? one | (two << 8) : two | (one << 8));
    }
    raw_.erase(0, i);
  }

  void append_unit(char32_t unit) {
    const auto first = std::exchange(first_half_, std::nullopt);
    if (first && is_second_half(unit)) {
      append_utf8(0x10000 + ((*first - 0xd800) << 10) + (unit - 0xdc00), text_);
      return;
    }
    if (first) {
      append_utf8(kReplacement, text_);
    }
    if (is_first_half(unit)) {
      first_half_ = unit;
    } else {
      append_utf8(is_second_half(unit) ? kReplacement : unit, text_);
    }
  }

  bool is_little_, is_at_end_ = false;
  std::string raw_, text_;  ///< bytes that are not converted yet, and converted text
  std::unique_ptr<ByteSource> rest_;
  std::optional<char32_t> first_half_;  ///< of a surrogate pair
};

/// Whether a text begins with the byte order mark of UTF-16.
bool begins_utf16(std::string_view start) {
  return start.starts_with(kLittleEndian) || start.starts_with(kBigEndian);
}

/// Converts UTF-16 to UTF-8 without the byte order mark. `start`: the first bytes, which begins_utf16()
/// accepts. `rest`: the bytes after them. Surrogates without a partner become U+FFFD. read() throws
/// InputError if the last character has only one byte.
std::unique_ptr<ByteSource> open_utf16(std::string start, std::unique_ptr<ByteSource> rest) {
  return std::make_unique<Utf16Source>(std::move(start), std::move(rest));
}

constexpr std::size_t kBufferBytes = 1 << 18;
constexpr std::size_t kKeptOfLongLine = 100;
constexpr std::size_t kBytesOfMagic = 6;  ///< of xz, the longest
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::uint64_t count_quotes(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '"'));
}

}  // namespace

LineReader::LineReader(const std::string& path, LongLines long_lines)
    : file_(shown_path(path)),
      source_(open_byte_source(path)),
      buffer_(kBufferBytes),
      long_lines_(long_lines) {}

LineReader::LineReader(std::string name, std::unique_ptr<ByteSource> source, LongLines long_lines)
    : file_(std::move(name)), source_(std::move(source)), buffer_(kBufferBytes), long_lines_(long_lines) {}

std::optional<std::string_view> LineReader::next() {
  text_.clear();
  cut_.reset();
  bool any = false;
  while (position_ < filled_ || refill()) {
    any = true;
    const auto start = buffer_.begin() + static_cast<std::ptrdiff_t>(position_);
    const auto end = buffer_.begin() + static_cast<std::ptrdiff_t>(filled_);
    const auto feed = returns_end_lines_
                          ? std::find_if(start, end, [](char c) { return c == '\r' || c == '\n'; })
                          : std::find(start, end, '\n');
    append({start, feed});
    position_ += static_cast<std::size_t>(feed - start);
    if (feed != end) {
      ++position_;
      break;
    }
  }
  if (!any) {
    return std::nullopt;
  }
  ++line_;
  if (line_ == 1) {
    remove_byte_order_mark();
  }
  if (!is_utf8(text_)) {
    text_ = utf8_of_latin1(text_);
  }
  return text_;
}

void LineReader::append(std::string_view piece) {
  if (piece.find('\0') != std::string_view::npos) {
    fail(line_ + 1, "the line contains binary data. This is not a text file");
  }
  if (!cut_ && text_.size() + piece.size() > kLongestLine) {
    if (long_lines_ == LongLines::are_errors) {
      fail(line_ + 1,
           too_long(text_.size() + piece.size(), kLongestLine) + ". This is not a text file of molecules");
    }
    cut_ = {text_.size(), count_quotes(text_)};
    text_.resize(kKeptOfLongLine);
    text_.shrink_to_fit();
  }
  if (cut_) {
    cut_->bytes += piece.size();
    cut_->quotes += count_quotes(piece);
  } else {
    text_.append(piece);
  }
}

bool LineReader::refill() {
  try {
    position_ = 0;
    const bool is_first = filled_ == 0 && line_ == 0 && text_.empty();
    filled_ = source_->read(buffer_);
    if (is_first && may_be_packed({buffer_.data(), filled_})) {
      unpack();
    }
    if (is_first && begins_utf16({buffer_.data(), filled_})) {
      source_ = open_utf16({buffer_.data(), filled_}, std::move(source_));
      filled_ = source_->read(buffer_);
    }
    returns_end_lines_ = returns_end_lines_ || (is_first && begins_with_return_line());
    return filled_ != 0;
  } catch (const InputError& error) {
    fail(line_ + 1, std::string(error.what()) + ". Get the file again");
  }
}

void LineReader::unpack() {
  std::string start(buffer_.data(), filled_);
  for (std::size_t count = 1; start.size() < kBytesOfMagic && may_be_packed(start) && count > 0;) {
    count = source_->read(buffer_);
    start.append(buffer_.data(), count);
  }
  if (auto unpacked = open_packed(start, source_)) {
    source_ = std::move(unpacked);
    filled_ = source_->read(buffer_);
    return;
  }
  std::copy(start.begin(), start.end(), buffer_.begin());
  filled_ = start.size();
}

bool LineReader::begins_with_return_line() {
  for (;;) {
    const std::size_t end = std::string_view(buffer_.data(), filled_).find_first_of("\r\n");
    if (end < filled_ && (buffer_[end] == '\n' || end + 1 < filled_)) {
      return buffer_[end] == '\r' && buffer_[end + 1] != '\n';
    }
    const std::size_t more =
        filled_ == 0 || filled_ == buffer_.size() ? 0 : source_->read(std::span(buffer_).subspan(filled_));
    if (more == 0) {
      return false;
    }
    filled_ += more;
  }
}

void LineReader::remove_byte_order_mark() {
  if (text_.starts_with(kByteOrderMark)) {
    text_.erase(0, kByteOrderMark.size());
  }
}

void LineReader::fail(std::size_t line, const std::string& reason) const {
  throw InputError(file_ + ":" + std::to_string(line) + ": " + reason);
}

std::string too_long(std::uint64_t bytes, std::uint64_t most) {
  return fmt::format("{} bytes, more than the maximum of {}", bytes, most);
}

std::string_view without_carriage_return(std::string_view line) {
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  return line;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kSpace);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

}  // namespace molgauge::io
