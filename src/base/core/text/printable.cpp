#include "base/core/text/printable.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/core/text/utf8.h"

namespace molgauge {
namespace {

constexpr std::string_view kIndent = "  ";

unsigned char byte_of(char letter) { return static_cast<unsigned char>(letter); }

/// Decodes a character of two or three bytes in UTF-8.
unsigned code_point(std::string_view character) {
  unsigned code = byte_of(character[0]) & (character.size() == 2 ? 0x1FU : 0x0FU);
  for (const char byte : character.substr(1)) {
    code = (code << 6U) | (byte_of(byte) & 0x3FU);
  }
  return code;
}

bool reorders(unsigned code) {
  constexpr std::array ranges = {std::pair(0x200EU, 0x200FU), std::pair(0x202AU, 0x202EU),
                                 std::pair(0x2066U, 0x2069U)};
  for (const auto& [first, last] : ranges) {
    if (code >= first && code <= last) {
      return true;
    }
  }
  return false;
}

std::string shown_byte(char letter) {
  switch (letter) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return byte_of(letter) >= 0x20 && byte_of(letter) < 0x7F ? std::string(1, letter)
                                                               : fmt::format("\\x{:02x}", byte_of(letter));
  }
}

/// `character`: one valid UTF-8 character of several bytes.
std::string shown_character(std::string_view character) {
  constexpr unsigned kFirstAfterControls = 0xA0;
  if (character.size() > 3) {
    return std::string(character);
  }
  const unsigned code = code_point(character);
  return code < kFirstAfterControls || reorders(code) ? fmt::format("\\u{:04x}", code)
                                                      : std::string(character);
}

/// Makes each line printable. Puts `indent` before every line, except the first line, empty lines and lines
/// that begin with a space.
std::string with_lines(std::string_view text, std::string_view indent) {
  std::string shown;
  bool is_first = true;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (!is_first && !line.empty() && !line.starts_with(' ')) {
      shown += indent;
    }
    shown += printable(line);
    if (end == std::string_view::npos) {
      break;
    }
    shown += '\n';
    text.remove_prefix(end + 1);
    is_first = false;
  }
  return shown;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    shown += length > 1 ? shown_character(text.substr(i, length)) : shown_byte(text[i]);
    i += length > 1 ? length : 1;
  }
  return shown;
}

std::string printable_lines(std::string_view text) { return with_lines(text, ""); }

std::string printable_message(std::string_view text) { return with_lines(text, kIndent); }

}  // namespace molgauge
