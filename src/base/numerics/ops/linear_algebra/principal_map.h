#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace molgauge::ops {

/// The two directions in which training features vary most, for a map.
struct PrincipalMap {
  std::vector<double> mean;  ///< [width]
  std::array<std::vector<double>, 2>
      directions;                  ///< [width] each, of length 1; the largest coordinate is positive
  std::array<double, 2> shares{};  ///< shares of the variance

  std::array<double, 2> place(std::span<const float> row) const;
};

/// Uses power iteration. rows [n, width], n >= 1. If n is above 5,000, uses only every k-th row, so that at
/// most 5,000 rows are used.
PrincipalMap principal_map(std::span<const float> rows, std::size_t width, std::size_t threads);

}  // namespace molgauge::ops
