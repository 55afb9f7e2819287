#pragma once

#include <cstddef>
#include <span>

namespace molgauge::ops {

/// The sum of (a - b)^2 over the coordinates, vectorised for this CPU.
float squared_distance(std::size_t width, const float* a, const float* b);

/// The sum of a * b over the coordinates.
float dot_product(std::size_t width, const float* a, const float* b);

/// to = exp(factor * values), where all products are at most 0. Results are at least exp(-86), and their
/// relative error is below 1e-5. values and to have the same size.
void exponentials(float factor, std::span<const float> values, std::span<float> to);

}  // namespace molgauge::ops
