#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace molgauge::datasets {

/// Parses a label of a table: a finite number, with optional spaces around it. Returns nothing for any other
/// text.
std::optional<double> parse_label(std::string_view text);

/// The meaning of a cell of a label column.
enum class LabelKind {
  missing,     ///< empty, or NA, N/A, #N/A, <NA>, NaN, null, none or ?
  number,      ///< a finite number. "=5.2" is the number 5.2
  class_name,  ///< true, t, active, yes or positive for class 1; false, f, inactive, no or negative for 0
  censored,    ///< a number after a relation other than "=", such as ">10", "<= 3" or "~5"
  unknown      ///< any other text
};

struct LabelCell {
  LabelKind kind = LabelKind::unknown;
  double value = 0;  ///< the number, the class (0 or 1) or the limit of a censored value; otherwise 0
};

/// Reads a cell of a label column. Upper and lower case are equal in words, and spaces at both ends are
/// ignored.
LabelCell read_label(std::string_view text);

/// Returns true if every value is 0 or 1.
bool are_classes(std::span<const double> values);

/// The threshold for values that are already classes. It leaves classes unchanged.
inline constexpr double kClassThreshold = 0.5;

/// Returns the mean of the known labels, or 0 if no label is known.
double mean_of_known(std::span<const std::optional<double>> labels);

/// Returns element floor(n / 2) of the n sorted values, n >= 1.
double upper_median(std::vector<double> values);

}  // namespace molgauge::datasets
