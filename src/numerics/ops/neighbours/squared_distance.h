#pragma once

#include <cstddef>

namespace headroom::ops {

/// Sum over the coordinates of (a - b)^2; vectorised for the processor of this machine.
float squared_distance(std::size_t width, const float* a, const float* b);

/// The squared distances of one row to each of four rows stored one after the other. Each sum is the one of
/// squared_distance(), to the bit.
void squared_distances_to_four(std::size_t width, const float* row, const float* four, float* to);

/// Sum over the coordinates of a b.
float dot_product(std::size_t width, const float* a, const float* b);

}  // namespace headroom::ops
