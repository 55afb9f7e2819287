#include "ops/training/pesg_kernel.h"

#include <algorithm>

#include "ops/each_processor.h"

namespace headroom::ops {

HEADROOM_FOR_EACH_PROCESSOR
void pesg_update(std::size_t count, const PesgStep& options, const float* gradient, const float* reference,
                 float* parameters, float* velocity) {
  const PesgStep step = options;
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const float clamped = std::min(std::max(gradient[i], -1.0F), 1.0F);
    const float g =
        clamped + step.epoch_decay * (parameters[i] - reference[i]) + step.weight_decay * parameters[i];
    velocity[i] = (1 - step.momentum) * velocity[i] + step.momentum * g;
    parameters[i] -= step.rate * velocity[i];
  }
}

}  // namespace headroom::ops
