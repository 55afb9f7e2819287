#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "base/numerics/torch/pair_attention.h"

/// torch::attend() on a GPU, forward and backward, with the kernels of cuda/attention_steps.h. For CPU
/// tensors the steps are loops, so tests can compare them with the kernels of ops/. Sums have a fixed order,
/// so results on a GPU are bit-identical in every run.
namespace molgauge::torch {

/// Whether there are kernels for heads of this depth on the device. Kernels exist for the depths 8, 16 and
/// 32. For a GPU, nvcc must also have been available for this build.
bool attends_by_steps(std::int64_t depth, c10::Device device);

/// Computes attend() with kernels, for float32 tensors of one device. attends_by_steps() must be true for the
/// depth of the heads.
AttentionOutput attention_kernels(const at::Tensor& joint, const at::Tensor& logits,
                                  const Segments& molecules, std::int64_t heads, bool first_only,
                                  const KeyedDropout& dropout);

/// Returns the index of the first pair of each molecule: [molecules] int64, on the device of the molecules.
at::Tensor first_pairs(const Segments& molecules);

}  // namespace molgauge::torch
