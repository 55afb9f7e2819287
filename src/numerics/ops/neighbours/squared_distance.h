#pragma once

#include <cstddef>

namespace headroom::ops {

/// The sum of (a - b)^2 over the coordinates, vectorised for this CPU.
float squared_distance(std::size_t width, const float* a, const float* b);

/// The squared distances of a row to four consecutive rows. Bit-identical to squared_distance().
void squared_distances_to_four(std::size_t width, const float* row, const float* four, float* to);

/// The sum of a * b over the coordinates.
float dot_product(std::size_t width, const float* a, const float* b);

}  // namespace headroom::ops
