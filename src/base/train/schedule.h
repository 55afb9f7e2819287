#pragma once

#include <cmath>
#include <cstddef>
#include <functional>

namespace molgauge::train {

/// The progress of a training.
struct Clock {
  std::size_t epoch = 0;  ///< 0-based, the current epoch
  std::size_t steps = 0;  ///< optimizer steps taken before this one
};

/// A function that returns the factor of the learning rate at a given progress. It has no state, so a resumed
/// training needs only the clock.
using Schedule = std::function<double(const Clock&)>;

inline Schedule constant_rate() {
  return [](const Clock&) { return 1.0; };
}

/// StepLR: multiplies the rate by `factor` after every `epochs` epochs.
inline Schedule falling_rate(std::size_t epochs = 10, double factor = 0.9) {
  return [=](const Clock& clock) {
    const std::size_t falls = clock.epoch / epochs;
    return std::pow(factor, static_cast<double>(falls));
  };
}

}  // namespace molgauge::train
