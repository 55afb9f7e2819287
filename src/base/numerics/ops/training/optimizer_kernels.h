#pragma once

#include <cstddef>

/// Elementwise operations of optimizers, vectorised for this CPU, on one thread.
namespace molgauge::ops {

/// Parameters of one Adam step, in the order in which adam_update() uses them.
struct AdamStep {
  float decay, beta1, beta2, deviation_scale, epsilon, rate;
};

/// Updates parameters p, with g = gradient + decay p. The running mean of g moves towards g by the fraction 1
/// - beta1, and the running mean of g^2 towards g^2 by 1 - beta2. Then rate mean / (sqrt(square_mean)
/// deviation_scale + epsilon) is subtracted from p.
void adam_update(std::size_t count, const AdamStep& step, const float* gradient, float* parameters,
                 float* mean, float* square_mean);

/// Parameters of one step of PESG, the optimizer of the AUC-margin loss
/// (molecules/baselines/classifier/auc_margin.h).
struct PesgStep {
  float rate, momentum, weight_decay, epoch_decay;
};

/// Updates parameters p, with g = clamp(gradient, -1, 1) + epoch_decay (p - reference) + weight_decay p.
/// velocity becomes (1 - momentum) velocity + momentum g. Then rate velocity is subtracted from p.
void pesg_update(std::size_t count, const PesgStep& step, const float* gradient, const float* reference,
                 float* parameters, float* velocity);

}  // namespace molgauge::ops
