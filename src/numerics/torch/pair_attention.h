#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "numerics/torch/graph.h"
#include "numerics/torch/keyed_dropout.h"

/// Attention within each molecule of a batch for LibTorch tensors in training. Float32 on the CPU, with the
/// loops of numerics/ops/training/attention_kernels.h. packed_attention.h contains the GPU version.
namespace headroom::torch {

/// The result of attend().
struct AttentionOutput {
  at::Tensor out;     ///< [n, width], or [molecules, width] if only first tokens attend
  at::Tensor logits;  ///< [P, heads] for the next layer; undefined if only first tokens attend
};

/// cpu::PairAttention for all molecules. Arguments: joint [n, 3 width], in which the numbers of a head are
/// `heads` apart; logits [P, heads] of earlier layers, which are not changed; the dropout of the weights.
/// Differentiable once in joint and logits. The backward pass keeps only joint and the logits, and computes
/// the weights again.
AttentionOutput attend(const at::Tensor& joint, const at::Tensor& logits, const Segments& molecules,
                       std::int64_t heads, bool first_only, const KeyedDropout& dropout);

}  // namespace headroom::torch
