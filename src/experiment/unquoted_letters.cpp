#include "experiment/unquoted_letters.h"

#include <algorithm>

#include "experiment/toml_reader.h"

namespace headroom::experiment {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_ascii(char letter) { return static_cast<unsigned char>(letter) < 0x80; }

/// Where the line ends that goes on at `place`.
std::size_t end_of_line(std::string_view text, std::size_t place) {
  return std::min(text.find('\n', place), text.size());
}

/// Where a string of one line that starts at `place` is over; one without an end is over with its line.
std::size_t end_of_string(std::string_view text, std::size_t place) {
  const char quote = text[place];
  const std::size_t line = end_of_line(text, place);
  for (++place; place < line && text[place] != quote; ++place) {
    place += quote == '"' && text[place] == '\\' ? 1 : 0;
  }
  return std::min(place + 1, line);
}

/// The same of one that starts with three quotes. It may end with up to two quotes of its own.
std::size_t end_of_long_string(std::string_view text, std::size_t place) {
  const char quote = text[place];
  const std::string closing(3, quote);
  for (place += 3; place < text.size(); ++place) {
    if (quote == '"' && text[place] == '\\') {
      ++place;
    } else if (text.substr(place, 3) == closing) {
      const std::size_t behind = std::min(text.find_first_not_of(quote, place), text.size());
      return std::min(behind, place + 5);
    }
  }
  return text.size();
}

/// Whether the character may stand before one that begins a string.
bool ends_a_word(char letter) {
  constexpr std::string_view kBehindThese = " \t\r\n=[]{},.";
  return kBehindThese.find(letter) != std::string_view::npos;
}

}  // namespace

void refuse_unquoted_letters(std::string_view text, const std::string& file) {
  const auto refuse_here = [&](std::size_t place, const char* problem) {
    const auto line = static_cast<std::size_t>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(place), '\n'));
    refuse(file, line + 1, problem);
  };
  const std::size_t begin = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (std::size_t place = begin; place < text.size();) {
    const char letter = text[place];
    if (letter == '#') {
      place = end_of_line(text, place);
    } else if (letter == '"' || letter == '\'') {
      if (place > begin && !ends_a_word(text[place - 1])) {
        refuse_here(place, "quotes begin in the middle of a word");
      }
      const bool is_long = text.substr(place, 3) == std::string(3, letter);
      place = is_long ? end_of_long_string(text, place) : end_of_string(text, place);
    } else if (!is_ascii(letter)) {
      refuse_here(place, "a letter beyond ASCII stands outside of quotes; quote it, or leave it out");
    } else {
      ++place;
    }
  }
}

}  // namespace headroom::experiment
