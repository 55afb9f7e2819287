#include "ops/neighbours/squared_distance.h"

#include "ops/each_processor.h"

namespace headroom::ops {

HEADROOM_FOR_EACH_PROCESSOR
float squared_distance(std::size_t width, const float* a, const float* b) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < width; ++i) {
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return sum;
}

HEADROOM_FOR_EACH_PROCESSOR
void squared_distances_to_four(std::size_t width, const float* row, const float* four, float* to) {
  const float *const a = four, *const b = a + width, *const c = b + width, *const d = c + width;
  float a_sum = 0, b_sum = 0, c_sum = 0, d_sum = 0;
#pragma omp simd reduction(+ : a_sum, b_sum, c_sum, d_sum)
  for (std::size_t i = 0; i < width; ++i) {
    a_sum += (row[i] - a[i]) * (row[i] - a[i]);
    b_sum += (row[i] - b[i]) * (row[i] - b[i]);
    c_sum += (row[i] - c[i]) * (row[i] - c[i]);
    d_sum += (row[i] - d[i]) * (row[i] - d[i]);
  }
  to[0] = a_sum;
  to[1] = b_sum;
  to[2] = c_sum;
  to[3] = d_sum;
}

}  // namespace headroom::ops
