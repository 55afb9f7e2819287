#include "pockets/force_field/amber_lines.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/line_reader.h"

namespace molgauge::pocket {
namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr std::size_t kLongestType = 4;

}  // namespace

std::string take_word(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(kBlank), text.size());
  const std::size_t end = std::min(text.find_first_of(kBlank, begin), text.size());
  std::string word(text.substr(begin, end - begin));
  text.remove_prefix(end);
  return word;
}

std::vector<double> leading_numbers(std::string_view text, std::size_t count, const char* what) {
  std::vector<double> numbers;
  while (numbers.size() < count) {
    const std::string word = take_word(text);
    const char* const begin = word.data() + (word.starts_with('+') ? 1 : 0);
    const char* const end = word.data() + word.size();
    double number = 0;
    const auto [stop, failure] = std::from_chars(begin, end, number);
    const bool is_whole = stop == end || (!std::isalnum(static_cast<unsigned char>(*stop)) && *stop != '.');
    if (word.empty() || failure != std::errc() || !is_whole || !std::isfinite(number)) {
      throw InputError(fmt::format("{} has {} numbers, number {} is {}", what, count, numbers.size() + 1,
                                   word.empty() ? "not there" : "'" + word + "'"));
    }
    numbers.push_back(number);
  }
  return numbers;
}

template <std::size_t count>
std::array<std::string, count> take_types(std::string_view& text) {
  const std::string_view whole = io::trimmed(text);
  std::array<std::string, count> types;
  for (std::size_t i = 0; i < count; ++i) {
    std::string_view name;
    if (i + 1 < count) {
      // The first character always belongs to the name, even if it is '-'. The search for the separator
      // therefore begins at the second character.
      const std::size_t dash = text.find('-', 1);
      name = io::trimmed(text.substr(0, dash));
      text.remove_prefix(dash == std::string_view::npos ? text.size() : dash + 1);
    } else {
      const std::size_t begin = std::min(text.find_first_not_of(kBlank), text.size());
      const std::size_t end = std::min(text.find_first_of(kBlank, begin), text.size());
      name = text.substr(begin, end - begin);
      text.remove_prefix(end);
    }
    if (name.empty() || name.size() > kLongestType || name.find_first_of(kBlank) != std::string_view::npos) {
      throw InputError(fmt::format("'{}' does not begin with {} types of atoms joined by '-'",
                                   whole.substr(0, std::size_t{40}), count));
    }
    types[i] = std::string(name);
  }
  return types;
}

template std::array<std::string, 2> take_types<2>(std::string_view&);
template std::array<std::string, 3> take_types<3>(std::string_view&);
template std::array<std::string, 4> take_types<4>(std::string_view&);

std::vector<std::string> library_fields(std::string_view line) {
  std::vector<std::string> fields;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlank), line.size()));
    if (line.empty()) {
      return fields;
    }
    if (line.front() != '"') {
      fields.push_back(take_word(line));
      continue;
    }
    const std::size_t end = line.find('"', 1);
    if (end == std::string_view::npos) {
      throw InputError("a quotation mark is not closed");
    }
    fields.emplace_back(line.substr(1, end - 1));
    line.remove_prefix(end + 1);
  }
}

}  // namespace molgauge::pocket
