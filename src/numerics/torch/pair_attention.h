#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "numerics/torch/graph.h"
#include "numerics/torch/keyed_dropout.h"

/// Attention between the tokens of molecules side by side for LibTorch's tensors in training: float32 on the
/// CPU, by the loops of numerics/ops/training/attention_kernels.h (packed_attention.h has the one of a GPU).
namespace headroom::torch {

/// What attend() gives.
struct AttentionOutput {
  at::Tensor out;     ///< [n, width]; of the first tokens alone: [molecules, width]
  at::Tensor logits;  ///< [P, heads] for the next layer; undefined where only the first tokens attend
};

/// cpu::PairAttention for all molecules: joint [n, 3 width] with the numbers of a head `heads` apart, logits
/// [P, heads] of earlier layers, which are not changed; dropout of the weights. Differentiable once in joint
/// and logits. The backward pass keeps joint and the logits alone, and weighs again.
AttentionOutput attend(const at::Tensor& joint, const at::Tensor& logits, const Segments& molecules,
                       std::int64_t heads, bool first_only, const KeyedDropout& dropout);

}  // namespace headroom::torch
