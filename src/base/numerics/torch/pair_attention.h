#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "base/numerics/torch/graph.h"
#include "base/numerics/torch/keyed_dropout.h"

/// Attention within each molecule of a batch for LibTorch tensors in training. It uses float32 on the CPU,
/// with the loops of numerics/ops/training/attention_kernels.h. packed_attention.h contains the GPU version.
namespace molgauge::torch {

/// The result of attend().
struct AttentionOutput {
  at::Tensor out;     ///< [n, width], or [molecules, width] if only first tokens attend
  at::Tensor logits;  ///< [P, heads] for the next layer. Undefined if only first tokens attend
};

/// Computes the attention of ops::AttentionInTraining for all molecules. In joint [n, 3 width], consecutive
/// numbers of a head have the distance `heads`. logits [P, heads] are the logits of earlier layers and are
/// not changed. `dropout` applies to the attention weights. The result can be differentiated once with
/// respect to joint and logits. Autograd saves only joint and the new logits for the backward pass, which
/// computes the weights again.
AttentionOutput attend(const at::Tensor& joint, const at::Tensor& logits, const Segments& molecules,
                       std::int64_t heads, bool first_only, const KeyedDropout& dropout);

}  // namespace molgauge::torch
