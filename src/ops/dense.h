#pragma once

#include <memory>
#include <optional>

#include <ATen/core/Tensor.h>

#include "ops/cpu/packed_layer.h"
#include "ops/layers.h"
#include "ops/precision.h"

namespace headroom::ops {

/// activation(normalization(x W^T + b)) over the last axis, the block that MiniMol is made of.
/// Differentiable.
///
/// Weights on the CPU that want no gradient are packed for its kernels when the object is made, so they must
/// not be changed afterwards; the kernels then do the work on inputs that want none, one pass over blocks of
/// rows, spread over ATen's threads. Everything else is done by ATen operators, in float32; on a GPU also in
/// bf16, with weights that are rounded when the object is made.
class Dense {
 public:
  Dense() = default;
  Dense(Linear linear, Activation activation, Precision precision = Precision::fp32);
  Dense(Linear linear, LayerNorm normalization, Activation activation, Precision precision = Precision::fp32);

  /// x [..., in] -> [..., out].
  at::Tensor operator()(const at::Tensor& x) const;
  /// The same in ATen operators.
  at::Tensor reference(const at::Tensor& x) const;

  /// For the CPU's kernels; nullptr where they do not apply.
  const cpu::Layer* packed() const { return packed_ ? &packed_->layer() : nullptr; }

 private:
  void prepare(Precision precision);
  void pack(Precision precision);

  at::Tensor product(const at::Tensor& x) const;

  Linear linear_;
  std::optional<RoundedLinear> rounded_;  ///< in place of linear_ on a GPU in bf16
  std::optional<LayerNorm> normalization_;
  Activation activation_ = Activation::none;
  std::shared_ptr<const cpu::PackedLayer> packed_;
};

}  // namespace headroom::ops
