#pragma once

#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "base/numerics/torch/graph.h"
#include "base/numerics/torch/layers.h"

/// Operators of graph.h and layers.h in one kernel each (cuda/row_steps.h), without gradients. Tensors are
/// float32 unless stated otherwise. The result of a row does not depend on other rows or segments.
namespace molgauge::torch {

/// Whether the kernels can compute with these tensors: they are float32 on a device with kernels, and nobody
/// needs their gradients. Undefined tensors are ignored, except for the first.
bool fuses(const std::vector<at::Tensor>& tensors);

at::Tensor message_passing_kernel(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds);
/// states + factors * the sum of the rows of each segment, with states [segments, d] and factors [segments,
/// 1].
at::Tensor segment_sum_kernel(const at::Tensor& states, const at::Tensor& rows, const Segments& segments,
                              const at::Tensor& factors);
at::Tensor segment_max_kernel(const at::Tensor& rows, const Segments& segments);
at::Tensor add_to_segments_kernel(const at::Tensor& rows, const at::Tensor& addends,
                                  const Segments& segments);

/// residual + activation(normalization(x + bias)) over the last axis. `bias` and `residual` may be undefined.
/// x may also be float16 or bfloat16. If it is float32, the result overwrites it.
at::Tensor norm_kernel(const at::Tensor& x, const at::Tensor& bias, const LayerNorm& normalization,
                       double epsilon, Activation activation, const at::Tensor& residual);

/// Computes sum = before + x + bias, and returns sum + sum_bias and normalization(sum). The biases may be
/// undefined. x may also be float16 or bfloat16.
std::pair<at::Tensor, at::Tensor> add_norm_kernel(const at::Tensor& x, const at::Tensor& bias,
                                                  const at::Tensor& before, const at::Tensor& sum_bias,
                                                  const LayerNorm& normalization, double epsilon);

}  // namespace molgauge::torch
