#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace headroom::datasets {

/// Parses a label of a table: a finite number, with optional spaces around it. Returns nothing for any other
/// text.
std::optional<double> parse_label(std::string_view text);

/// Returns true if every value is 0 or 1.
bool are_classes(std::span<const double> values);

/// The threshold for values that are already classes. It leaves classes unchanged.
inline constexpr double kClassThreshold = 0.5;

/// Returns the mean of the known labels, or 0 if no label is known.
double mean_of_known(std::span<const std::optional<double>> labels);

/// Returns element floor(n / 2) of the n sorted values, n >= 1.
double upper_median(std::vector<double> values);

}  // namespace headroom::datasets
