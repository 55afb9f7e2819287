#include "ops/linear_algebra/dot_product.h"

#include "ops/each_processor.h"

namespace headroom::ops {

HEADROOM_FOR_EACH_PROCESSOR
float dot_product(std::size_t width, const float* a, const float* b) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = 0; i < width; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

}  // namespace headroom::ops
