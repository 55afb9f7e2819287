#pragma once

#include <cstddef>

namespace headroom::ops {

/// Sum over the coordinates of a b; vectorised for the processor of this machine.
float dot_product(std::size_t width, const float* a, const float* b);

}  // namespace headroom::ops
