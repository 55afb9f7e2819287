#include "train/adam.h"

#include <cmath>

#include "ops/each_processor.h"

namespace headroom::train {
namespace {

/// The numbers of one step, in the order in which they are used.
struct Step {
  float decay, beta1, beta2, deviation_scale, epsilon, rate;
};

HEADROOM_FOR_EACH_PROCESSOR
void update(std::size_t count, const Step& options, const float* gradient, float* parameters, float* mean,
            float* square_mean) {
  const Step step = options;
#pragma omp simd
  for (std::size_t i = 0; i < count; ++i) {
    const float g = gradient[i] + step.decay * parameters[i];
    mean[i] += (1 - step.beta1) * (g - mean[i]);
    square_mean[i] = step.beta2 * square_mean[i] + (1 - step.beta2) * g * g;
    parameters[i] -= step.rate * mean[i] / (std::sqrt(square_mean[i]) * step.deviation_scale + step.epsilon);
  }
}

}  // namespace

void Adam::step(std::span<float> parameters, std::span<const float> gradient) {
  ++steps_;
  const auto steps = static_cast<double>(steps_);
  const double correction = 1 - std::pow(options_.beta1, steps);
  const double square_correction = 1 - std::pow(options_.beta2, steps);
  const Step step{
      static_cast<float>(options_.weight_decay), static_cast<float>(options_.beta1),
      static_cast<float>(options_.beta2),        static_cast<float>(1 / std::sqrt(square_correction)),
      static_cast<float>(options_.epsilon),      static_cast<float>(options_.learning_rate / correction)};
  update(parameters.size(), step, gradient.data(), parameters.data(), mean_.data(), square_mean_.data());
}

}  // namespace headroom::train
