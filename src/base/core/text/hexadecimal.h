#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace molgauge {

/// Returns two lower-case digits for each byte, in the order of the bytes. Keys and hashes are shown in this
/// form.
inline std::string to_hexadecimal(std::span<const std::uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xF];
  }
  return text;
}

}  // namespace molgauge
