#pragma once

#include <optional>
#include <utility>

#include <ATen/core/Tensor.h>

#include "base/numerics/ops/activation.h"
#include "base/numerics/ops/precision.h"

/// The layers of base/numerics/ops/dense.h for LibTorch tensors. They consist of ATen operators, are
/// differentiable, and run on any device. Tests compare our kernels with them.
namespace molgauge::torch {

using ops::Activation;
using ops::Precision;

/// y = x W^T + b over the last axis, with x [..., in], W [out, in] and b [out].
struct Linear {
  at::Tensor weight, bias;
};

/// Layer normalisation over the last axis with biased variance and epsilon 1e-5 (Ba et al. 2016,
/// arXiv:1607.06450). weight and bias are [width].
struct LayerNorm {
  at::Tensor weight, bias;
};

inline constexpr double kNormEpsilon = 1e-5;

at::Tensor apply(const Linear& linear, const at::Tensor& x);
at::Tensor apply(const LayerNorm& normalization, const at::Tensor& x);
at::Tensor apply(Activation activation, const at::Tensor& x);

/// activation(normalization(x W^T + b)) over the last axis: x [..., in] -> [..., out].
///
/// Computes in float32. With Precision::bf16 or fp16 on a GPU, products have that type. The weights are
/// rounded when the object is created, and the inputs when it is called. Sums are in float32. For speed on a
/// GPU, the sums are rounded before the bias is added.
class Dense {
 public:
  Dense() = default;
  Dense(Linear linear, Activation activation, Precision precision = Precision::fp32);
  Dense(Linear linear, LayerNorm normalization, Activation activation, Precision precision = Precision::fp32);

  /// A layer with products in bfloat16 or float16 on every device.
  static Dense rounded(Linear linear, Activation activation, at::ScalarType type);

  /// If `residual` is defined, adds the result to it. `residual` itself does not change. Without gradients on
  /// a GPU, one kernel computes normalisation, activation and sum.
  at::Tensor operator()(const at::Tensor& x, const at::Tensor& residual = {}) const;
  /// Applies the layer to factor * x.
  at::Tensor scaled(const at::Tensor& x, double factor) const;

  const Linear& linear() const { return linear_; }

  /// x W^T, and the part of the bias that the product does not contain (undefined if it contains the bias).
  /// The product of a rounded layer has the type of its weight.
  std::pair<at::Tensor, at::Tensor> product(const at::Tensor& x) const;
  /// Whether the layer is only a product and a bias in float32.
  bool is_linear() const { return !is_rounded_ && !normalization_ && activation_ == Activation::none; }

  /// Computes the layer as operator() does, but a layer without normalisation returns its result in the type
  /// of the products. This halves the memory traffic on a GPU. Use it if the next operator reads this type.
  /// The bias is added before the sums are rounded.
  at::Tensor in_type_of_products(const at::Tensor& x) const;

 private:
  bool fuses(const at::Tensor& product, const at::Tensor& residual) const;
  void round(at::ScalarType type);

  Linear linear_;
  bool is_rounded_ = false;  ///< the weight is bfloat16 or float16
  at::Tensor rounded_bias_;  ///< the bias in the type of the rounded weight, else undefined
  std::optional<LayerNorm> normalization_;
  Activation activation_ = Activation::none;
};

}  // namespace molgauge::torch
