#pragma once

#include <cstddef>

namespace headroom::ops {

/// Sum over the coordinates of (a - b)^2; vectorised for the processor it runs on.
float squared_distance(std::size_t width, const float* a, const float* b);

}  // namespace headroom::ops
