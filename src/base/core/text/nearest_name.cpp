#include "base/core/text/nearest_name.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace molgauge {
namespace {

constexpr std::size_t kLettersAnEdit = 3;
/// Maximum length of a name. Time and memory grow with the length, and no name in Molgauge is longer.
constexpr std::size_t kLongest = 100;

char lower(char letter) { return static_cast<char>(std::tolower(static_cast<unsigned char>(letter))); }

bool equal(char one, char other) { return lower(one) == lower(other); }

std::size_t distance(std::string_view from, std::string_view to) {
  // Three rows of the table for the edit distance: the row two before the current one, the row before it, and
  // the current row.
  std::vector<std::size_t> before(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) {
    last[j] = j;
  }
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (equal(from[i - 1], to[j - 1]) ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && equal(from[i - 1], to[j - 2]) && equal(from[i - 2], to[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[to.size()];
}

}  // namespace

std::string nearest_name(std::string_view typed, std::span<const std::string> names) {
  if (typed.size() > kLongest) {
    return "";
  }
  std::string nearest;
  std::size_t least = std::max<std::size_t>(1, typed.size() / kLettersAnEdit) + 1;
  for (const std::string& name : names) {
    const std::size_t edits = distance(typed, name);
    if (edits < least && edits < name.size()) {
      least = edits;
      nearest = name;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view typed, std::span<const std::string> names) {
  const std::string name = nearest_name(typed, names);
  return name.empty() ? "" : ". Did you mean '" + name + "'?";
}

}  // namespace molgauge
