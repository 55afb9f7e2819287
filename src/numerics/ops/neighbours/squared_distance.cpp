#include "numerics/ops/neighbours/squared_distance.h"

#include "numerics/ops/cpu/instruction_level.h"

namespace headroom::ops {

float squared_distance(std::size_t width, const float* a, const float* b) {
  return cpu::loops().squared_distance(width, a, b);
}

void squared_distances_to_four(std::size_t width, const float* row, const float* four, float* to) {
  cpu::loops().squared_distances_to_four(width, row, four, to);
}

float dot_product(std::size_t width, const float* a, const float* b) {
  return cpu::loops().dot_product(width, a, b);
}

}  // namespace headroom::ops
