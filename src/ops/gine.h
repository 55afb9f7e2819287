#pragma once

#include <ATen/core/Tensor.h>

#include "ops/dense.h"
#include "ops/message_passing.h"

namespace headroom::ops {

/// A GINE layer on top of a residual stream:
///
///     residual + out(hidden(message_passing(nodes, edges, kinds)))
///
/// nodes [n, in of hidden]; residual [n, out of out], or undefined, which counts as zeros. Differentiable. On
/// the CPU without gradients one pass over blocks of nodes that keeps what is between the layers in the
/// cache; the result then takes the place of `residual` in its memory, which nobody else may be using.
at::Tensor gine_layer(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds,
                      const Dense& hidden, const Dense& out, at::Tensor residual);

/// The same in ATen operators; `residual` is left alone.
at::Tensor gine_layer_reference(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds,
                                const Dense& hidden, const Dense& out, const at::Tensor& residual);

}  // namespace headroom::ops
