#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "base/numerics/torch/graph.h"
#include "base/numerics/torch/pair_attention.h"

namespace molgauge::torch {

/// Computes torch::attend() for all tokens with the tiles of cuda/tiled_attention.h, without gradients and
/// dropout. Types are float32, float16 or bfloat16. Sums are in float32. Logits and results have the type of
/// `joint`. On the CPU, loops execute the tiles, for tests. The depth must be 8, 16 or 32. Throws Error for
/// other depths.
AttentionOutput tiled_attention(const at::Tensor& joint, const at::Tensor& logits, const Segments& molecules,
                                std::int64_t heads);

}  // namespace molgauge::torch
