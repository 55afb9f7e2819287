#pragma once

#include <cstddef>

namespace headroom::ops {

/// The numbers of one step of Adam, in the order in which they are used.
struct AdamStep {
  float decay, beta1, beta2, deviation_scale, epsilon, rate;
};

/// With g = gradient + decay p: the running means of g and g^2 move by 1 - beta1 and 1 - beta2 towards it,
/// and p loses rate mean / (sqrt(square_mean) deviation_scale + epsilon). Vectorised for the processor it
/// runs on.
void adam_update(std::size_t count, const AdamStep& step, const float* gradient, float* parameters,
                 float* mean, float* square_mean);

}  // namespace headroom::ops
