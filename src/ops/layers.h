#pragma once

#include <ATen/core/Tensor.h>

namespace headroom::ops {

/// y = x W^T + b over the last axis; x [..., in], W [out, in], b [out].
struct Linear {
  at::Tensor weight, bias;
};

/// Layer normalisation over the last axis with biased variance and epsilon 1e-5 (Ba et al. 2016,
/// arXiv:1607.06450); weight and bias [width].
struct LayerNorm {
  at::Tensor weight, bias;
};

enum class Activation {
  none,
  relu,
  gelu,  ///< exact: x/2 (1 + erf(x / sqrt 2)) (Hendrycks and Gimpel 2016, arXiv:1606.08415)
};

at::Tensor apply(const Linear& linear, const at::Tensor& x);
at::Tensor apply(const LayerNorm& normalization, const at::Tensor& x);
at::Tensor apply(Activation activation, const at::Tensor& x);

/// activation(normalization(linear(x))): the block that MiniMol is made of. Differentiable.
at::Tensor linear_norm_activation(const at::Tensor& x, const Linear& linear, const LayerNorm& normalization,
                                  Activation activation);

}  // namespace headroom::ops
