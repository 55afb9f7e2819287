#pragma once

#include <cstddef>

namespace headroom::ops {

/// The numbers of one step of PESG, the optimiser of the AUC-margin loss (baselines/classifier/auc_margin.h).
struct PesgStep {
  float rate, momentum, weight_decay, epoch_decay;
};

/// With g = clamp(gradient, -1, 1) + epoch_decay (p - reference) + weight_decay p: velocity becomes
/// (1 - momentum) velocity + momentum g, and p loses rate velocity. Vectorised for the processor it runs on.
void pesg_update(std::size_t count, const PesgStep& step, const float* gradient, const float* reference,
                 float* parameters, float* velocity);

}  // namespace headroom::ops
