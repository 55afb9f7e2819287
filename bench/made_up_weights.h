#pragma once

#include <cmath>
#include <random>

#include "molecules/encoders/minimol/parameters.h"

namespace molgauge {

/// Weights of realistic magnitude. Their values do not affect the time.
inline io::TensorMap made_up_weights() {
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  io::TensorMap weights;
  for (const auto& [name, shape] : encoders::minimol::parameter_shapes()) {
    std::vector<float> numbers(static_cast<std::size_t>(shape.size() == 2 ? shape[0] * shape[1] : shape[0]));
    for (float& number : numbers) {
      number = normal(random) / std::sqrt(static_cast<float>(shape.back()));
    }
    weights.emplace(name, io::TensorData::from_float32(shape, numbers.data()));
  }
  return weights;
}

}  // namespace molgauge
