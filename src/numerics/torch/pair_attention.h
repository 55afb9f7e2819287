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

/// Computes cpu::PairAttention for all molecules. joint [n, 3 width]: consecutive numbers of a head have the
/// distance `heads`. logits [P, heads]: logits of earlier layers. They are not changed. `dropout`: dropout of
/// the weights. Can be differentiated once with respect to joint and logits. For the backward pass, only
/// joint and the logits are kept, and the weights are computed again.
AttentionOutput attend(const at::Tensor& joint, const at::Tensor& logits, const Segments& molecules,
                       std::int64_t heads, bool first_only, const KeyedDropout& dropout);

}  // namespace headroom::torch
