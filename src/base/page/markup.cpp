#include "base/page/markup.h"

#include <algorithm>

#include "base/core/text/utf8.h"

namespace molgauge::page {
namespace {

constexpr const char* kReplacement = "\xEF\xBF\xBD";  // U+FFFD

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
    const std::size_t length = utf8_length(text, i);
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

std::string escape_markdown(std::string_view text) {
  constexpr std::string_view kActing = "\\`*_[]|~$";
  std::string markdown;
  markdown.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = std::max<std::size_t>(utf8_length(text, i), 1);
    const std::string_view character = text.substr(i, length);
    if (character == "\n" || character == "\r" || character == "\t") {
      markdown += ' ';
    } else if (kActing.find(character) != std::string_view::npos) {
      markdown += '\\' + std::string(character);
    } else {
      const bool is_plain_quote = character == "'" || character == "\"";
      markdown += is_plain_quote ? std::string(character) : escape_markup(character);
    }
    i += length;
  }
  return markdown;
}

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t characters = 0;
  for (std::size_t i = 0; i < text.size(); ++characters) {
    if (characters + 1 == most) {
      const std::size_t next = i + std::max<std::size_t>(utf8_length(text, i), 1);
      if (next < text.size()) {
        return std::string(text.substr(0, i)) + "\u2026";
      }
    }
    i += std::max<std::size_t>(utf8_length(text, i), 1);
  }
  return std::string(text);
}

}  // namespace molgauge::page
