#pragma once

#include <cmath>
#include <cstddef>

namespace headroom::train {

/// StepLR(step 10, gamma 0.9), one step an epoch: the rate of epochs 0-9 is the initial one, of 10-19 0.9
/// times that, and so on. Needs no state beyond the epoch.
inline double scheduled_learning_rate(double initial, std::size_t epoch) {
  constexpr std::size_t kEpochsPerStep = 10;
  constexpr double kDecay = 0.9;
  return initial * std::pow(kDecay, static_cast<double>(epoch / kEpochsPerStep));
}

}  // namespace headroom::train
