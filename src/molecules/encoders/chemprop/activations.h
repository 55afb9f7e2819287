#pragma once

#include <span>

#include "molecules/encoders/chemprop/model.h"

namespace molgauge::encoders::chemprop {

/// Applies the activation to each number.
void activate(const ModelActivation& activation, std::span<float> numbers);

}  // namespace molgauge::encoders::chemprop
