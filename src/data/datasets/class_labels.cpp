#include "data/datasets/class_labels.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace headroom::datasets {

std::optional<double> parse_label(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r";
  const auto begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) {
    return std::nullopt;
  }
  text = text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
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

}  // namespace headroom::datasets
