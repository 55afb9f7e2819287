#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "base/numerics/torch/graph.h"
#include "base/numerics/torch/pair_attention.h"

/// The two operators of Uni-Mol (attention, and Gaussian functions of distances) for tensors on any device,
/// for concatenated molecules without padding. On a GPU they use CUDA kernels (torch/cuda) if these were
/// built and support the sizes. Gaussian functions use kernels only if no gradients are needed. In all other
/// cases, ATen operators are used.
namespace molgauge::torch {

/// Computes torch::attend() in float32, float16 or bfloat16. Sums and the softmax are in float32. Logits and
/// results have the type of `joint`. With gradients or dropout, everything is float32.
AttentionOutput packed_attention(const at::Tensor& joint, const at::Tensor& logits, const Segments& molecules,
                                 std::int64_t heads, bool first_only, const KeyedDropout& dropout = {});
/// The reference implementation of packed_attention(). Uses ATen operators on every device, molecule by
/// molecule, in the types of the arguments.
AttentionOutput composed_attention(const at::Tensor& joint, const at::Tensor& logits,
                                   const Segments& molecules, std::int64_t heads, bool first_only,
                                   const KeyedDropout& dropout = {});

/// Parameters of the Gaussian functions of a pair distance (cuda::gaussian), float32.
struct GaussianTables {
  at::Tensor factors, offsets;  ///< [kinds, 1]. The kind of a pair is first token * dictionary + second token
  at::Tensor means, widths;     ///< [1, K]
  std::int64_t dictionary = 0;
};

/// Returns the Gaussian features of all pairs, [P, K] float32. tokens is [n] int64, and distances is [P]
/// float32.
at::Tensor gaussian_features(const at::Tensor& tokens, const at::Tensor& distances, const Segments& molecules,
                             const GaussianTables& tables);
/// The reference implementation of gaussian_features(). Uses ATen operators on every device.
at::Tensor composed_gaussian_features(const at::Tensor& tokens, const at::Tensor& distances,
                                      const Segments& molecules, const GaussianTables& tables);

}  // namespace molgauge::torch
