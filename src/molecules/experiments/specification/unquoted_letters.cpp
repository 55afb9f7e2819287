#include "molecules/experiments/specification/unquoted_letters.h"

#include <algorithm>
#include <functional>

#include "molecules/experiments/specification/toml_reader.h"

namespace molgauge::experiment {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_ascii(char letter) { return static_cast<unsigned char>(letter) < 0x80; }

/// The end of the line that contains `place`.
std::size_t end_of_line(std::string_view text, std::size_t place) {
  return std::min(text.find('\n', place), text.size());
}

/// Returns the end of the single-line string that starts at `place`. If the closing quote is missing, returns
/// the end of the line.
std::size_t end_of_string(std::string_view text, std::size_t place) {
  const char quote = text[place];
  const std::size_t line = end_of_line(text, place);
  for (++place; place < line && text[place] != quote; ++place) {
    place += quote == '"' && text[place] == '\\' ? 1 : 0;
  }
  return std::min(place + 1, line);
}

/// Returns the end of the string in triple quotes that starts at `place`. The string may end with up to two
/// quotes before the closing quotes. Calls `at_line_start` with the position of each letter beyond ASCII that
/// follows a backslash and white space.
std::size_t end_of_long_string(std::string_view text, std::size_t place,
                               const std::function<void(std::size_t)>& at_line_start) {
  const char quote = text[place];
  const std::string closing(3, quote);
  for (place += 3; place < text.size(); ++place) {
    if (quote == '"' && text[place] == '\\') {
      const std::size_t next = std::min(text.find_first_not_of(" \t\r\n", place + 1), text.size());
      if (next == place + 1) {
        ++place;
      } else if (next < text.size() && !is_ascii(text[next])) {
        at_line_start(next);
      }
    } else if (text.substr(place, 3) == closing) {
      const std::size_t behind = std::min(text.find_first_not_of(quote, place), text.size());
      return std::min(behind, place + 5);
    }
  }
  return text.size();
}

}  // namespace

std::string with_ascii_letters(std::string_view text) {
  constexpr std::string_view kLetters =
      "acdghijklmopqsvw";  // letters that are not escapes after a backslash. "btnfrueUx" are escapes
  std::string spelled;
  spelled.reserve(text.size());
  if (text.starts_with(kByteOrderMark)) {
    spelled = kByteOrderMark;
    text.remove_prefix(kByteOrderMark.size());
  }
  for (const char letter : text) {
    if (is_ascii(letter)) {
      spelled += letter;
    } else {
      const auto byte = static_cast<unsigned char>(letter);
      spelled += {kLetters[byte / 16], kLetters[byte % 16]};
    }
  }
  return spelled;
}

void refuse_unquoted_letters(std::string_view text, const std::string& file) {
  const auto refuse_here = [&](std::size_t place, const char* problem) {
    const auto line = static_cast<std::size_t>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
    refuse(file, line + 1, problem);
  };
  const auto refuse_at_line_start = [&](std::size_t place) {
    refuse_here(place, "a non-ASCII letter follows a backslash and white space. Begin with another letter");
  };
  const std::size_t begin = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (std::size_t place = begin; place < text.size();) {
    const char letter = text[place];
    if (letter == '#') {
      place = end_of_line(text, place);
    } else if (letter == '"' || letter == '\'') {
      const bool is_long = text.substr(place, 3) == std::string(3, letter);
      place = is_long ? end_of_long_string(text, place, refuse_at_line_start) : end_of_string(text, place);
    } else if (!is_ascii(letter)) {
      refuse_here(place, "a non-ASCII letter is outside of quotes. Quote it, or leave it out");
    } else {
      ++place;
    }
  }
}

}  // namespace molgauge::experiment
