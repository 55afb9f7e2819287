#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/core/error.h"

namespace molgauge::allocator {

// Integers as in Protocol Buffers: seven bits in each byte, low bits first. The high bit is set in all bytes
// except the last.

inline void put_varint(std::string& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7U) {
    bytes += static_cast<char>((number & 0x7FU) | 0x80U);
  }
  bytes += static_cast<char>(number);
}

/// Maps small integers of either sign to small unsigned integers: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
inline std::uint64_t zigzag(std::uint64_t difference) {
  return (difference << 1U) ^ (0 - (difference >> 63U));
}
inline std::uint64_t undo_zigzag(std::uint64_t number) { return (number >> 1U) ^ (0 - (number & 1U)); }

/// Reads numbers and texts from the start of a buffer. The text of an InputError contains only the reason.
class VarintReader {
 public:
  explicit VarintReader(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return position_ == bytes_.size(); }
  std::size_t position() const { return position_; }

  std::uint8_t byte() {
    if (at_end()) {
      throw InputError("a record breaks off");
    }
    return static_cast<std::uint8_t>(bytes_[position_++]);
  }

  std::uint64_t number() {
    std::uint64_t result = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint64_t next = byte();
      if (shift == 63 && next > 1) {
        break;
      }
      result |= (next & 0x7FU) << shift;
      if (next < 0x80) {
        return result;
      }
    }
    throw InputError("a number has more than 64 bits");
  }

  std::string_view text() {
    const std::uint64_t count = number();
    if (count > bytes_.size() - position_) {
      throw InputError("a text breaks off");
    }
    const std::string_view found = bytes_.substr(position_, static_cast<std::size_t>(count));
    position_ += found.size();
    return found;
  }

 private:
  std::string_view bytes_;
  std::size_t position_ = 0;
};

inline void put_text(std::string& bytes, std::string_view text) {
  put_varint(bytes, text.size());
  bytes += text;
}

}  // namespace molgauge::allocator
