#include "base/core/text/utf8.h"

#include <algorithm>

namespace molgauge {
namespace {

unsigned char byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

std::size_t announced_length(unsigned char first) {
  if (first < 0x80) {
    return 1;
  }
  if (first >= 0xC2 && first <= 0xDF) {
    return 2;
  }
  if ((first & 0xF0) == 0xE0) {
    return 3;
  }
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t start) {
  const unsigned char first = byte_at(text, start);
  const std::size_t length = announced_length(first);
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

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const std::size_t length = utf8_length(text, at);
    if (length == 0) {
      return false;
    }
    at += length;
  }
  return true;
}

std::string utf8_of_latin1(std::string_view text) {
  std::string converted;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x80) {
      converted += letter;
    } else {
      converted += static_cast<char>(0xc0 | (byte >> 6));
      converted += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return converted;
}

std::size_t utf8_characters(std::string_view text) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++characters) {
    i += std::max<std::size_t>(utf8_length(text, i), 1);
  }
  return characters;
}

std::string_view utf8_beginning(std::string_view text, std::size_t most) {
  std::size_t end = 0;
  while (end < text.size()) {
    const std::size_t next = end + std::max<std::size_t>(utf8_length(text, end), 1);
    if (next > most) {
      break;
    }
    end = next;
  }
  return text.substr(0, end);
}

}  // namespace molgauge
