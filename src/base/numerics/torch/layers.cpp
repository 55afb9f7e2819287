#include "base/numerics/torch/layers.h"

#include <stdexcept>
#include <utility>

#include <ATen/ATen.h>

#include "base/numerics/torch/row_kernels.h"
#include "base/numerics/torch/torch_compatibility.h"

namespace molgauge::torch {
at::Tensor apply(const Linear& linear, const at::Tensor& x) {
  return at::linear(x, linear.weight, linear.bias);
}

at::Tensor apply(const LayerNorm& normalization, const at::Tensor& x) {
  // With autocast, the rows may have another type than the weights. LibTorch 1.13 refuses different types
  // here, so the rows are converted.
  return at::layer_norm(x.to(normalization.weight.scalar_type()), normalization.weight.sizes(),
                        normalization.weight, normalization.bias, kNormEpsilon);
}

at::Tensor apply(Activation activation, const at::Tensor& x) {
  switch (activation) {
    case Activation::none:
      return x;
    case Activation::relu:
      return at::relu(x);
    case Activation::gelu:
      return at::gelu(x);
  }
  throw std::logic_error("not an activation");
}

Dense::Dense(Linear linear, Activation activation, Precision precision)
    : linear_(std::move(linear)), activation_(activation) {
  const bool is_16_bits = precision == Precision::bf16 || precision == Precision::fp16;
  if (is_16_bits && linear_.weight.defined() && linear_.weight.is_cuda()) {
    round(precision == Precision::bf16 ? at::kBFloat16 : at::kHalf);
  }
}

Dense Dense::rounded(Linear linear, Activation activation, at::ScalarType type) {
  Dense layer(std::move(linear), activation);
  layer.round(type);
  return layer;
}

void Dense::round(at::ScalarType type) {
  sum_products_in_float32();
  linear_.weight = linear_.weight.to(type);
  rounded_bias_ = linear_.bias.to(type);
  is_rounded_ = true;
}

Dense::Dense(Linear linear, LayerNorm normalization, Activation activation, Precision precision)
    : Dense(std::move(linear), activation, precision) {
  normalization_ = std::move(normalization);
}

bool Dense::fuses(const at::Tensor& product, const at::Tensor& residual) const {
  return normalization_ && !product.requires_grad() &&
         torch::fuses({normalization_->weight, normalization_->bias, residual});
}

at::Tensor Dense::in_type_of_products(const at::Tensor& x) const {
  if (!is_rounded_ || normalization_) {
    return (*this)(x);
  }
  return apply(activation_, at::linear(x.to(linear_.weight.scalar_type()), linear_.weight, rounded_bias_));
}

std::pair<at::Tensor, at::Tensor> Dense::product(const at::Tensor& x) const {
  return is_rounded_ ? std::pair{at::linear(x.to(linear_.weight.scalar_type()), linear_.weight), linear_.bias}
                     : std::pair{apply(linear_, x), at::Tensor()};
}

at::Tensor Dense::operator()(const at::Tensor& x, const at::Tensor& residual) const {
  auto [y, bias] = product(x);
  if (fuses(y, residual)) {
    return norm_kernel(y, bias, *normalization_, kNormEpsilon, activation_, residual);
  }
  if (bias.defined()) {
    y = y.to(at::kFloat).add_(bias);
  }
  y = apply(activation_, normalization_ ? apply(*normalization_, y) : y);
  if (!residual.defined()) {
    return y;
  }
  return y.requires_grad() ? y + residual : y.add_(residual);
}

at::Tensor Dense::scaled(const at::Tensor& x, double factor) const {
  if (is_rounded_ || normalization_ || activation_ != Activation::none || x.dim() != 2) {
    return (*this)(factor * x);
  }
  return at::addmm(linear_.bias, x, linear_.weight.t(), 1, factor);
}

}  // namespace molgauge::torch
