#pragma once

#include <ATen/core/Tensor.h>

namespace headroom::torch {

/// ops::spherical_harmonics() of degrees 0 to `most`, at most 3, made of ATen's operators: differentiable, on
/// any device. vectors [n, 3] -> [n, (most + 1)^2]; a vector of length zero has a 1 of degree 0 and zeros.
at::Tensor harmonics_by_operators(const at::Tensor& vectors, int most);

}  // namespace headroom::torch
