#pragma once

#include <vector>

#include "base/train/parameters.h"

namespace molgauge::test {

/// Returns a weight [3, 2] and a bias [3] as one group of autograd leaves. Every call returns the same
/// numbers.
train::Parameters made_up_parameters(const train::GroupOptions& options);
/// A copy of the parameters in separate tensors.
train::Parameters copy_of(const train::Parameters& parameters);

/// Sets every number of every gradient.
void set_gradients(const train::Parameters& parameters, double number);
/// The numbers of all parameters, in order.
std::vector<float> numbers_of(const train::Parameters& parameters);

}  // namespace molgauge::test
