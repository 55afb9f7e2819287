#pragma once

#include <optional>

#include <ATen/core/Tensor.h>

#include "ops/activation.h"
#include "ops/precision.h"

/// The layers of ops/dense.h for LibTorch's tensors, in ATen operators: differentiable, on any device, and
/// the plain reference of the kernels.
namespace headroom::torch {

using ops::Activation;
using ops::Precision;

/// y = x W^T + b over the last axis; x [..., in], W [out, in], b [out].
struct Linear {
  at::Tensor weight, bias;
};

/// Layer normalisation over the last axis with biased variance and epsilon 1e-5 (Ba et al. 2016,
/// arXiv:1607.06450); weight and bias [width].
struct LayerNorm {
  at::Tensor weight, bias;
};

at::Tensor apply(const Linear& linear, const at::Tensor& x);
at::Tensor apply(const LayerNorm& normalization, const at::Tensor& x);
at::Tensor apply(Activation activation, const at::Tensor& x);

/// activation(normalization(x W^T + b)) over the last axis; x [..., in] -> [..., out].
///
/// In float32. With Precision::bf16 or fp16 on a GPU, products are of weights, rounded when the object is
/// made, and inputs in that type, summed in float32 and rounded once before the bias is added, which is the
/// fast way on a GPU.
class Dense {
 public:
  Dense() = default;
  Dense(Linear linear, Activation activation, Precision precision = Precision::fp32);
  Dense(Linear linear, LayerNorm normalization, Activation activation, Precision precision = Precision::fp32);

  at::Tensor operator()(const at::Tensor& x) const;

 private:
  at::Tensor product(const at::Tensor& x) const;

  Linear linear_;
  bool is_rounded_ = false;  ///< the weight is bfloat16 or float16
  std::optional<LayerNorm> normalization_;
  Activation activation_ = Activation::none;
};

}  // namespace headroom::torch
