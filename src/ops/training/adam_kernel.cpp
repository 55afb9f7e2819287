#include "ops/training/adam_kernel.h"

#include <cmath>

#include "ops/each_processor.h"

namespace headroom::ops {

HEADROOM_FOR_EACH_PROCESSOR
void adam_update(std::size_t count, const AdamStep& options, const float* gradient, float* parameters,
                 float* mean, float* square_mean) {
  const AdamStep step = options;
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const float g = gradient[i] + step.decay * parameters[i];
    mean[i] += (1 - step.beta1) * (g - mean[i]);
    square_mean[i] = step.beta2 * square_mean[i] + (1 - step.beta2) * g * g;
    parameters[i] -= step.rate * mean[i] / (std::sqrt(square_mean[i]) * step.deviation_scale + step.epsilon);
  }
}

}  // namespace headroom::ops
