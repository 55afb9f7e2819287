#include "base/numerics/ops/training/attention_kernels.h"

#include "base/numerics/ops/cpu/instruction_level.h"

namespace molgauge::ops {

void attend(const AttentionInTraining& attention, const float* before, float* logits, float* out,
            float* scratch) {
  cpu::loops().attend(attention, before, logits, out, scratch);
}

void attend_backward(const AttentionInTraining& attention, const float* logits, const float* out_gradient,
                     float* logit_gradient, float* joint_gradient, float* scratch) {
  cpu::loops().attend_backward(attention, logits, out_gradient, logit_gradient, joint_gradient, scratch);
}

void dropout_factors(std::size_t width, double dropout, std::uint64_t key, float* factors) {
  cpu::loops().dropout_factors(width, dropout, key, factors);
}

}  // namespace molgauge::ops
