#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace headroom::datasets {

/// A label as it stands in a table: a finite number, spaces around it allowed. Empty on anything else.
std::optional<double> parse_label(std::string_view text);

/// True when every value is 0 or 1.
bool are_classes(std::span<const double> values);

/// The threshold under which values that are classes already stay what they are.
inline constexpr double kClassThreshold = 0.5;

/// Mean of the labels that are known; 0 if none is.
double mean_of_known(std::span<const std::optional<double>> labels);

/// Sorted values [floor(n / 2)]; n >= 1.
double upper_median(std::vector<double> values);

}  // namespace headroom::datasets
