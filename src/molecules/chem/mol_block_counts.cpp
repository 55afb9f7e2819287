#include "molecules/chem/mol_block_counts.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

namespace molgauge::chem {
namespace {

constexpr std::string_view kV30 = "M  V30 ", kMolBlockBlanks = " \t\r";

std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  return line;
}

/// The text after "M  V30 ", joined with the following lines as long as a line ends with '-'.
std::string continued(std::string_view line, std::string_view& rest) {
  std::string text(line.substr(kV30.size()));
  while (text.ends_with('-') && rest.starts_with(kV30)) {
    text.pop_back();
    text += take_line(rest).substr(kV30.size());
  }
  std::ranges::transform(text, text.begin(), [](unsigned char letter) { return std::toupper(letter); });
  return text;
}

/// Returns true if a count is greater than `most` or negative, because RDKit reads "-1" as four billion.
/// Returns false if the text is not a number, because RDKit refuses such a text.
bool is_excessive(std::string_view count, std::size_t most) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(count.data(), count.data() + count.size(), number);
  return count.starts_with('-') || count.starts_with('+') || problem == std::errc::result_out_of_range ||
         (problem == std::errc() && end != count.data() && number > most);
}

/// Checks "COUNTS 6 6 0 0 0": atoms, bonds, S-groups, constraints.
std::string check_counts(std::string_view text, std::size_t lines) {
  constexpr int kCounts = 4;
  std::size_t start = text.find_first_of(kMolBlockBlanks);
  for (int i = 0; i < kCounts && start < text.size(); ++i) {
    start = std::min(text.find_first_not_of(kMolBlockBlanks, start), text.size());
    const std::size_t end = std::min(text.find_first_of(kMolBlockBlanks, start), text.size());
    const std::string_view count = text.substr(start, end - start);
    if (is_excessive(count, lines)) {
      return fmt::format("its COUNTS line claims {} of something, the record has {} lines",
                         count.substr(0, 20), lines);
    }
    start = end;
  }
  return "";
}

/// Checks lists such as "ENDPTS=(3 1 2 3)". The first number is the number of entries.
std::string check_lists(std::string_view text) {
  for (std::size_t place = text.find("=("); place != std::string_view::npos;
       place = text.find("=(", place + 1)) {
    const std::size_t start = std::min(text.find_first_not_of(kMolBlockBlanks, place + 2), text.size());
    const std::size_t end = std::min(text.find_first_of(" \t\r)", start), text.size());
    const std::string_view count = text.substr(start, end - start);
    if (is_excessive(count, text.size())) {
      return fmt::format("a list claims {} items in a line of {} characters", count.substr(0, 20),
                         text.size());
    }
  }
  return "";
}

/// Checks the counts line of V2000, "  6  6  0 ...": three columns each for atoms and bonds.
std::string check_v2000(std::string_view line, std::size_t lines) {
  for (const std::size_t column : {std::size_t{0}, std::size_t{3}}) {
    std::string_view count = line.size() > column ? line.substr(column, 3) : "";
    count.remove_prefix(std::min(count.find_first_not_of(' '), count.size()));
    if (is_excessive(count, lines)) {
      return fmt::format("its counts line claims {} {}, the record has {} lines", count,
                         column == 0 ? "atoms" : "bonds", lines);
    }
  }
  return "";
}

/// Ignores case, as RDKit does.
bool is_counts(std::string_view text) {
  constexpr std::string_view kWord = "COUNTS";
  return text.size() >= kWord.size() &&
         std::equal(kWord.begin(), kWord.end(), text.begin(), [](char letter, char written) {
           return letter == std::toupper(static_cast<unsigned char>(written));
         });
}

}  // namespace

std::string excessive_claim(std::string_view block) {
  constexpr std::size_t kCountsLine = 4;
  const auto lines = static_cast<std::size_t>(std::ranges::count(block, '\n')) + 1;
  std::string_view rest = block;
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = take_line(rest);
    std::string problem;
    if (line.starts_with(kV30)) {
      const std::string text = continued(line, rest);
      problem = is_counts(text) ? check_counts(text, lines) : check_lists(text);
    } else if (number == kCountsLine) {
      problem = check_v2000(line, lines);
    }
    if (!problem.empty()) {
      return problem;
    }
  }
  return "";
}

}  // namespace molgauge::chem
