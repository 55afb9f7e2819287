#include "base/numerics/ops/training/optimizer_kernels.h"

#include "base/numerics/ops/cpu/instruction_level.h"

namespace molgauge::ops {

void adam_update(std::size_t count, const AdamStep& step, const float* gradient, float* parameters,
                 float* mean, float* square_mean) {
  cpu::loops().adam_update(count, step, gradient, parameters, mean, square_mean);
}

void pesg_update(std::size_t count, const PesgStep& step, const float* gradient, const float* reference,
                 float* parameters, float* velocity) {
  cpu::loops().pesg_update(count, step, gradient, reference, parameters, velocity);
}

}  // namespace molgauge::ops
