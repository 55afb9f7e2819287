#include "base/io/bytes/utf16_source.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/core/error.h"

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

}  // namespace

bool begins_utf16(std::string_view start) {
  return start.starts_with(kLittleEndian) || start.starts_with(kBigEndian);
}

std::unique_ptr<ByteSource> open_utf16(std::string start, std::unique_ptr<ByteSource> rest) {
  return std::make_unique<Utf16Source>(std::move(start), std::move(rest));
}

}  // namespace molgauge::io
