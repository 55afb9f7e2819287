#include "pockets/amber/prmtop_sections.h"

#include <cctype>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/line_reader.h"

namespace molgauge::pocket {
namespace {

constexpr std::size_t kWidestField = 80;

/// Parses "%FORMAT(5E16.8)" into the kind and the width of a field. The width is 0 if the text is not a
/// format.
struct Format {
  char kind = 0;
  std::size_t width = 0;
};

Format parse_format(std::string_view line) {
  const std::size_t open = line.find('('), close = line.find(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return {};
  }
  std::string_view inside = line.substr(open + 1, close - open - 1);
  while (!inside.empty() && std::isdigit(static_cast<unsigned char>(inside.front())) != 0) {
    inside.remove_prefix(1);
  }
  if (inside.empty()) {
    return {};
  }
  Format format{static_cast<char>(std::toupper(static_cast<unsigned char>(inside.front()))), 0};
  inside.remove_prefix(1);
  std::from_chars(inside.data(), inside.data() + inside.size(), format.width);
  const bool is_known = format.kind == 'A' || format.kind == 'I' || format.kind == 'E' || format.kind == 'F';
  return is_known && format.width <= kWidestField ? format : Format{};
}

template <typename Number>
bool read_number(std::string_view text, Number& number) {
  text = io::trimmed(text);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
  }
  std::string fortran(text);  // Fortran may write an exponent with D
  for (char& letter : fortran) {
    letter = letter == 'D' || letter == 'd' ? 'E' : letter;
  }
  const char* const end = fortran.data() + fortran.size();
  const auto [stop, failure] = std::from_chars(fortran.data(), end, number);
  return failure == std::errc() && stop == end;
}

}  // namespace

PrmtopSections::PrmtopSections(std::string file) : file_(std::move(file)) { read(); }

void PrmtopSections::read() {
  io::LineReader lines(file_);
  Section* section = nullptr;
  std::string flag;
  bool is_first = true;
  while (const auto next = lines.next()) {
    const std::string_view line = io::without_carriage_return(*next);
    if (is_first && !line.starts_with('%')) {
      lines.fail(1, "not an AMBER topology of version 7 or later: it does not begin with %VERSION or %FLAG");
    }
    is_first = false;
    if (line.starts_with("%FLAG")) {
      flag = io::trimmed(line.substr(5));
      if (sections_.contains(flag)) {
        lines.fail(lines.line(), "%FLAG " + flag + " occurs twice");
      }
      section = &sections_[flag];
      section->line = lines.line();
    } else if (line.starts_with("%FORMAT")) {
      const Format format = parse_format(line);
      if (section == nullptr || format.width == 0) {
        lines.fail(lines.line(), "%FLAG " + flag + ": its format cannot be read: " + std::string(line));
      }
      section->kind = format.kind;
      section->width = format.width;
    } else if (line.starts_with('%')) {
      if (!line.starts_with("%VERSION") && !line.starts_with("%COMMENT")) {
        lines.fail(lines.line(), "a line that begins with % is %VERSION, %FLAG, %FORMAT or %COMMENT");
      }
    } else {
      if (section == nullptr || section->width == 0) {
        lines.fail(lines.line(), "text before a %FLAG and its %FORMAT");
      }
      // In sections of text, the last field of a line may be shorter than the width. In sections of numbers,
      // trailing blanks are not fields.
      const std::size_t filled = section->kind == 'A' ? line.size() : line.find_last_not_of(" \t") + 1;
      for (std::size_t start = 0; start < filled; start += section->width) {
        section->fields.emplace_back(line.substr(start, section->width));
      }
    }
  }
  if (sections_.empty()) {
    throw InputError(file_ + ": is empty. An AMBER topology has %FLAG POINTERS and more");
  }
}

void PrmtopSections::fail(const std::string& flag, const std::string& reason) const {
  throw InputError(fmt::format("{}: %FLAG {}: {}", file_, flag, reason));
}

const PrmtopSections::Section& PrmtopSections::require(const std::string& flag) const {
  const auto found = sections_.find(flag);
  if (found == sections_.end()) {
    fail(flag, "is missing. The file is truncated, or it is not an AMBER topology");
  }
  return found->second;
}

const PrmtopSections::Section& PrmtopSections::section(const std::string& flag, std::size_t count) const {
  const Section& found = require(flag);
  if (found.fields.size() != count) {
    fail(flag, fmt::format(
                   "has {} values instead of {}. {}", found.fields.size(), count,
                   found.fields.size() < count ? "The file is truncated or damaged" : "The file is damaged"));
  }
  return found;
}

template <typename Number>
std::vector<Number> PrmtopSections::convert(const std::string& flag, const Section& section) const {
  std::vector<Number> numbers(section.fields.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    bool is_number = read_number(section.fields[i], numbers[i]);
    if constexpr (std::is_floating_point_v<Number>) {
      is_number = is_number && std::isfinite(numbers[i]);
    }
    if (!is_number) {
      fail(flag, fmt::format("value {}, '{}', is not a number", i + 1, section.fields[i]));
    }
  }
  return numbers;
}

std::vector<std::int64_t> PrmtopSections::integers(const std::string& flag, std::size_t count) const {
  return convert<std::int64_t>(flag, section(flag, count));
}

std::vector<double> PrmtopSections::numbers(const std::string& flag, std::size_t count) const {
  return convert<double>(flag, section(flag, count));
}

std::vector<std::int64_t> PrmtopSections::integers_from(const std::string& flag, std::size_t least) const {
  const Section& found = require(flag);
  if (found.fields.size() < least) {
    fail(flag, fmt::format("has {} values, fewer than {}. The file is truncated or damaged",
                           found.fields.size(), least));
  }
  return convert<std::int64_t>(flag, found);
}

}  // namespace molgauge::pocket
