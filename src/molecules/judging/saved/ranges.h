#pragma once

#include <cmath>
#include <span>

#include <fmt/format.h>

#include "base/core/error.h"

/// Ranges of the numbers in a saved domain. Checksums protect a domain against accidents. Anyone can make a
/// domain with valid checksums, so each number is checked before it is used
/// (docs/explanation/threat-model.md).
namespace molgauge::domain {

/// The largest magnitude of a feature or a score. Squares of such numbers can be added in single precision.
inline constexpr double kLargestFeature = 1e15;
/// The largest count of molecules, atoms or measurements.
inline constexpr double kLargestCount = 1e12;

/// Returns the number. Throws InputError that contains `name` if the number is NaN or not in [low, high].
template <typename Number>
Number in_range(Number number, double low, double high, const char* name) {
  const auto value = static_cast<double>(number);
  if (!(value >= low && value <= high)) {
    throw InputError(fmt::format("{} is {:g}, but must be from {:g} to {:g}", name, value, low, high));
  }
  return number;
}

/// Does the same for a number that may be NaN.
template <typename Number>
Number in_range_or_nan(Number number, double low, double high, const char* name) {
  return std::isnan(number) ? number : in_range(number, low, high, name);
}

/// Throws InputError that contains `name` if the magnitude of a number is NaN or larger than `largest`.
template <typename Number>
void require_magnitudes(std::span<const Number> numbers, double largest, const char* name) {
  for (const Number number : numbers) {
    in_range(number, -largest, largest, name);
  }
}

}  // namespace molgauge::domain
