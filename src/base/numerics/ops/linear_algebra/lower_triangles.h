#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace molgauge::ops {

/// The inverse of a lower triangle [width, width], which is also a lower triangle.
std::vector<double> inverse_of_lower(const std::vector<double>& lower, std::size_t width);

/// Adds coefficients[k] * rows[k * stride + i] to sums[i] for each k in turn, so that each sum has the
/// rounding of a loop over k.
void add_multiples(std::span<double> sums, std::span<const double> coefficients, const double* rows,
                   std::size_t stride);

}  // namespace molgauge::ops
