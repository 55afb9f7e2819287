#pragma once

#include <cmath>

#include <ATen/ATen.h>

#include "encoders/minimol/parameters.h"

namespace headroom {

/// Weights of a plausible size: their values do not change the time.
inline encoders::minimol::Parameters made_up_parameters() {
  encoders::minimol::Parameters parameters;
  for (const auto& [name, shape] : encoders::minimol::parameter_shapes()) {
    parameters.emplace(name, at::randn(shape) / std::sqrt(static_cast<double>(shape.back())));
  }
  return parameters;
}

}  // namespace headroom
