#include "ops/layers.h"

#include <stdexcept>

#include <ATen/ATen.h>

namespace headroom::ops {

constexpr double kNormEpsilon = 1e-5;

at::Tensor apply(const Linear& linear, const at::Tensor& x) {
  return at::linear(x, linear.weight, linear.bias);
}

at::Tensor apply(const RoundedLinear& linear, const at::Tensor& x) {
  return at::linear(x.to(at::kBFloat16), linear.weight).to(at::kFloat).add_(linear.bias);
}

at::Tensor apply(const LayerNorm& normalization, const at::Tensor& x) {
  return at::layer_norm(x, normalization.weight.sizes(), normalization.weight, normalization.bias,
                        kNormEpsilon);
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

}  // namespace headroom::ops
