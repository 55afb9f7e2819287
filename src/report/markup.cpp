#include "report/markup.h"

#include <algorithm>

namespace headroom::report {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";  // U+FFFD

unsigned char byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

/// Bytes of the well-formed UTF-8 character that begins there; 0 where there is none (RFC 3629).
std::size_t character_length(std::string_view text, std::size_t start) {
  const unsigned char first = byte_at(text, start);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xC2 && first <= 0xDF ? 2
                             : (first & 0xF0) == 0xE0         ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  if (length == 0 || start + length > text.size()) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, start + i) & 0xC0) != 0x80) {
      return 0;
    }
  }
  const unsigned char second = length > 2 ? byte_at(text, start + 1) : 0;
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool beyond = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return overlong || beyond ? 0 : length;
}

bool is_control(unsigned char character) {
  return (character < 0x20 && character != '\n' && character != '\t') || character == 0x7F;
}

std::string escaped(char character) {
  switch (character) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return is_control(static_cast<unsigned char>(character)) ? kReplacement : std::string(1, character);
  }
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string markup;
  markup.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = character_length(text, i);
    if (length == 0) {
      markup += kReplacement;
    } else if (length == 1) {
      markup += escaped(text[i]);
    } else {
      markup += text.substr(i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return markup;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++characters) {
    if (characters + 1 == most) {
      const std::size_t next = i + std::max<std::size_t>(character_length(text, i), 1);
      if (next < text.size()) {
        return std::string(text.substr(0, i)) + "\u2026";
      }
    }
    i += std::max<std::size_t>(character_length(text, i), 1);
  }
  return std::string(text);
}

}  // namespace headroom::report
