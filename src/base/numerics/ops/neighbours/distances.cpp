#include "base/numerics/ops/neighbours/distances.h"

#include "base/numerics/ops/cpu/instruction_level.h"

namespace molgauge::ops {

float squared_distance(std::size_t width, const float* a, const float* b) {
  return cpu::loops().squared_distance(width, a, b);
}

float dot_product(std::size_t width, const float* a, const float* b) {
  return cpu::loops().dot_product(width, a, b);
}

void exponentials(float factor, std::span<const float> values, std::span<float> to) {
  cpu::loops().exponentials(values.size(), factor, values.data(), to.data());
}

}  // namespace molgauge::ops
