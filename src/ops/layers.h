#pragma once

#include <ATen/core/Tensor.h>

#include "ops/activation.h"

namespace headroom::ops {

/// y = x W^T + b over the last axis; x [..., in], W [out, in], b [out].
struct Linear {
  at::Tensor weight, bias;
};

/// The same by a weight that is rounded to bfloat16; x is rounded likewise. Products are summed in float32
/// and rounded once before the bias is added: how a GPU multiplies fast. Returns float32.
struct RoundedLinear {
  at::Tensor weight;  ///< [out, in], bfloat16
  at::Tensor bias;    ///< [out], float32
};

/// Layer normalisation over the last axis with biased variance and epsilon 1e-5 (Ba et al. 2016,
/// arXiv:1607.06450); weight and bias [width].
struct LayerNorm {
  at::Tensor weight, bias;
};

at::Tensor apply(const Linear& linear, const at::Tensor& x);
at::Tensor apply(const RoundedLinear& linear, const at::Tensor& x);
at::Tensor apply(const LayerNorm& normalization, const at::Tensor& x);
at::Tensor apply(Activation activation, const at::Tensor& x);

}  // namespace headroom::ops
