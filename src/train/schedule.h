#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

namespace headroom::train {

/// How far a training has come.
struct Clock {
  std::size_t epoch = 0;  ///< 0-based, under way
  std::size_t steps = 0;  ///< optimiser steps taken before this one
};

/// What a learning rate is multiplied by at a time of the training. A schedule keeps no state, so that a
/// resumed training needs nothing but its clock.
using Schedule = std::function<double(const Clock&)>;

inline Schedule constant_rate() {
  return [](const Clock&) { return 1.0; };
}

/// StepLR: the rate falls to `factor` times itself after every `epochs` epochs.
inline Schedule falling_rate(std::size_t epochs = 10, double factor = 0.9) {
  return [=](const Clock& clock) {
    const std::size_t falls = clock.epoch / epochs;
    return std::pow(factor, static_cast<double>(falls));
  };
}

/// The rate rises from 0 over the first `warm_up` steps, then falls to 0 at step `total`, both linearly.
inline Schedule warm_up_then_linear(std::size_t warm_up, std::size_t total) {
  return [=](const Clock& clock) {
    const auto step = static_cast<double>(clock.steps + 1), rise = static_cast<double>(warm_up);
    if (step <= rise) {
      return step / rise;
    }
    return std::max(0.0, (static_cast<double>(total) + 1 - step) / (static_cast<double>(total) + 1 - rise));
  };
}

}  // namespace headroom::train
