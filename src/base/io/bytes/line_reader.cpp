#include "base/io/bytes/line_reader.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/shown_path.h"
#include "base/core/text/utf8.h"
#include "base/io/bytes/packed_source.h"
#include "base/io/bytes/utf16_source.h"

namespace molgauge::io {
namespace {

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
