#pragma once

#include <cstddef>

namespace headroom::ops {

/// Sum over the coordinates of (a - b)^2; vectorised for the processor it runs on.
float squared_distance(std::size_t width, const float* a, const float* b);

/// Of one row to each of four, which stand one after the other: each sum is made as squared_distance() makes
/// it.
void squared_distances_to_four(std::size_t width, const float* row, const float* four, float* to);

}  // namespace headroom::ops
