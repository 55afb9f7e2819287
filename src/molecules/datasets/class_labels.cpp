#include "molecules/datasets/class_labels.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace molgauge::datasets {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::array kMissing = {"na"sv, "n/a"sv, "#n/a"sv, "<na>"sv, "nan"sv, "null"sv, "none"sv, "?"sv};
constexpr std::array kPositive = {"true"sv, "t"sv, "active"sv, "yes"sv, "positive"sv};
constexpr std::array kNegative = {"false"sv, "f"sv, "inactive"sv, "no"sv, "negative"sv};
/// Relations in front of a number. Longer relations are first.
constexpr std::array kRelationSigns = {">="sv, "=>"sv,     "<="sv,     "=<"sv, ">>"sv,     "<<"sv, ">"sv,
                                       "<"sv,  "\u2265"sv, "\u2264"sv, "~"sv,  "\u2248"sv, "="sv};

std::string_view without_spaces(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const auto begin = text.find_first_not_of(kSpace);
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  return lower;
}

template <typename Words>
bool contains(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Removes the relations in front of a number. Returns whether one of them makes the number inexact.
bool remove_relations(std::string_view& text) {
  bool is_inexact = false;
  while (true) {
    const auto found = std::find_if(kRelationSigns.begin(), kRelationSigns.end(),
                                    [&](std::string_view relation) { return text.starts_with(relation); });
    if (found == kRelationSigns.end()) {
      return is_inexact;
    }
    is_inexact = is_inexact || *found != "=";
    text = without_spaces(text.substr(found->size()));
  }
}

}  // namespace

std::optional<double> parse_label(std::string_view text) {
  text = without_spaces(text);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
  }
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) {
    return std::nullopt;
  }
  return value;
}

LabelCell read_label(std::string_view text) {
  text = without_spaces(text);
  if (text.empty()) {
    return {LabelKind::missing};
  }
  if (const auto number = parse_label(text)) {
    return {LabelKind::number, *number};
  }
  const std::string word = in_lower_case(text);
  if (contains(kMissing, word)) {
    return {LabelKind::missing};
  }
  if (contains(kPositive, word) || contains(kNegative, word)) {
    return {LabelKind::class_name, contains(kPositive, word) ? 1.0 : 0.0};
  }
  const bool is_inexact = remove_relations(text);
  if (const auto number = parse_label(text)) {
    return {is_inexact ? LabelKind::censored : LabelKind::number, *number};
  }
  return {LabelKind::unknown};
}

bool are_classes(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 0 || value == 1; });
}

double upper_median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double mean_of_known(std::span<const std::optional<double>> labels) {
  double sum = 0, known = 0;
  for (const auto& label : labels) {
    sum += label.value_or(0);
    known += label ? 1 : 0;
  }
  return known > 0 ? sum / known : 0;
}

}  // namespace molgauge::datasets
