#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace molgauge::allocator::test {

/// Writes pickles by hand, opcode by opcode.
class PickleText {
 public:
  explicit PickleText(int protocol = 2) { raw("\x80").byte(protocol); }

  PickleText& raw(std::string_view bytes) {
    text_ += bytes;
    return *this;
  }
  PickleText& byte(int value) {
    text_ += static_cast<char>(value);
    return *this;
  }
  PickleText& text(std::string_view characters) {
    return raw("X").little_endian(characters.size(), 4).raw(characters);
  }
  PickleText& number(std::uint64_t value) { return raw("\x8a").byte(9).little_endian(value, 8).byte(0); }
  PickleText& field(std::string_view key, std::uint64_t value) { return text(key).number(value); }
  PickleText& field(std::string_view key, std::string_view value) { return text(key).text(value); }
  PickleText& little_endian(std::uint64_t value, int bytes) {
    for (; bytes > 0; --bytes, value >>= 8U) {
      byte(static_cast<int>(value & 0xFFU));
    }
    return *this;
  }
  std::string stop() const { return text_ + "."; }
  const std::string& so_far() const { return text_; }

 private:
  std::string text_;
};

}  // namespace molgauge::allocator::test
