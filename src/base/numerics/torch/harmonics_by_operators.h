#pragma once

#include <ATen/core/Tensor.h>

namespace molgauge::torch {

/// Computes ops::spherical_harmonics() of degrees 0 to `most` (at most 3) with ATen operators.
/// Differentiable, on any device. vectors [n, 3] -> [n, (most + 1)^2]. A vector of length zero has 1 for
/// degree 0 and zeros otherwise.
at::Tensor harmonics_by_operators(const at::Tensor& vectors, int most);

}  // namespace molgauge::torch
