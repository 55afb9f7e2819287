#include "migration/shell_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace headroom::migration {
namespace {

/// Behind the bracket that closes the one at `place`; `place` where there is none.
std::size_t end_of_bracket(const std::string& word, std::size_t place) {
  const char open = word[place], close = open == '{' ? '}' : ')';
  int depth = 0;
  for (std::size_t i = place; i < word.size(); ++i) {
    depth += word[i] == open ? 1 : word[i] == close ? -1 : 0;
    if (depth == 0) {
      return i + 1;
    }
  }
  return place;
}

/// The end of the substitution at `place`, or behind the `$` of a plain variable; `place` itself where it
/// is text.
std::size_t end_of_expansion(const std::string& word, std::size_t place) {
  if (word[place] != '$') {
    return place;
  }
  if (place + 1 < word.size() && (word[place + 1] == '{' || word[place + 1] == '(')) {
    const std::size_t end = end_of_bracket(word, place + 1);
    return end == place + 1 ? place : end;
  }
  return place + 1;
}

/// What the shell puts in stays as it stands.
std::string double_quoted(const std::string& word) {
  std::string quoted = "\"";
  std::size_t end_of_alive = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    end_of_alive = i < end_of_alive ? end_of_alive : end_of_expansion(word, i);
    const bool is_text = i >= end_of_alive;
    if (word[i] == kTextDollar) {
      quoted += "\\$";
    } else {
      quoted += is_text && std::string_view("\"`\\$").find(word[i]) != std::string_view::npos ? "\\" : "";
      quoted += word[i];
    }
  }
  return quoted + '"';
}

/// Whether the `$` at `place` begins $NAME or ${NAME}.
bool is_variable_at(const std::string& word, std::size_t place) {
  const bool has_bracket = place + 1 < word.size() && word[place + 1] == '{';
  const std::size_t begin = place + (has_bracket ? 2 : 1);
  std::size_t end = begin;
  while (end < word.size() && is_of_name(word[end])) {
    ++end;
  }
  return end > begin && (!has_bracket || (end < word.size() && word[end] == '}'));
}

}  // namespace

bool is_of_name(char character) {
  return std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '_';
}

bool is_shell_keyword(const std::string& word) {
  static constexpr std::array kWords = {"do",    "then",  "else", "elif", "if",
                                        "while", "until", "!",    "{",    "time"};
  return std::ranges::find(kWords, word) != kWords.end();
}

std::size_t end_of_substitution(std::string_view text, std::size_t place) {
  if (text[place] == '`') {
    std::size_t end = place + 1;
    while (end < text.size() && text[end] != '`') {
      end += text[end] == '\\' ? 2 : 1;
    }
    return std::min(end + 1, text.size());
  }
  int depth = 0;
  char quote = '\0';  // the one that is open
  for (std::size_t i = place + 1; i < text.size(); ++i) {
    const char here = text[i];
    if (here == '\\' && quote != '\'') {
      ++i;
    } else if (quote == '\'' || ((here == '\'' || here == '"') && (quote == '\0' || quote == here))) {
      quote = quote == '\0' ? here : here == quote ? '\0' : quote;
    } else if (here == '{' || here == '(') {
      ++depth;
    } else if (here == '}' || here == ')') {
      if (--depth == 0) {
        return i + 1;
      }
    }
  }
  return text.size();
}

char as_text(char character) { return character == '$' ? kTextDollar : character; }

std::string readable(std::string word) {
  std::ranges::replace(word, kTextDollar, '$');
  std::ranges::replace(word, '\n', ' ');
  return word;
}

std::string shell_quoted(const std::string& word) {
  std::string read = word;
  for (std::size_t i = 0; i < word.size(); ++i) {
    read[i] = is_variable_at(word, i) ? word[i] : as_text(word[i]);
  }
  return shell_word(read);
}

std::string shell_word(const std::string& word) {
  if (word.find('$') != std::string::npos) {
    return double_quoted(word);
  }
  const bool plain = !word.empty() && std::ranges::all_of(word, [](unsigned char character) {
    return std::isalnum(character) != 0 ||
           std::string_view("-_./:=,+@%").find(static_cast<char>(character)) != std::string_view::npos;
  });
  if (plain) {
    return word;
  }
  std::string quoted = "'";
  for (const char character : word) {
    quoted += character == '\'' ? "'\\''" : character == kTextDollar ? "$" : std::string(1, character);
  }
  return quoted + "'";
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace headroom::migration
