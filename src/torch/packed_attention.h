#pragma once

#include <cstdint>

#include <ATen/core/Tensor.h>

#include "torch/graph.h"

/// Uni-Mol's two operators for tensors on any device, molecules side by side without padding. A CUDA kernel
/// (torch/cuda) takes inference on a GPU where one was built and fits the sizes; ATen operators take the
/// rest, and everything that has gradients: no backward pass is a kernel of ours.
namespace headroom::torch {

/// Whether this build has the CUDA kernels.
bool has_cuda_kernels();

struct PackedAttended {
  at::Tensor out;     ///< [n, width]; of the first tokens alone: [molecules, width]
  at::Tensor logits;  ///< [P, heads]; undefined where only the first tokens attend
};

/// torch::attend() without dropout: joint [n, 3 width] with the numbers of a head `heads` apart, logits
/// [P, heads] of earlier layers, which are not changed; float32, float16 or bfloat16. The softmax is float32.
PackedAttended packed_attention(const at::Tensor& joint, const at::Tensor& logits, const Segments& molecules,
                                std::int64_t heads, bool first_only);
/// The same in ATen operators on every device, molecule by molecule: the reference.
PackedAttended composed_attention(const at::Tensor& joint, const at::Tensor& logits,
                                  const Segments& molecules, std::int64_t heads, bool first_only);

/// Numbers of the Gaussian functions of a pair's distance (cuda::gaussian), float32.
struct GaussianTables {
  at::Tensor factors, offsets;  ///< [kinds, 1]; kind = first token * dictionary + second token
  at::Tensor means, widths;     ///< [1, K]
  std::int64_t dictionary = 0;
};

/// [P, K] float32; tokens [n] int64, distances [P] float32.
at::Tensor gaussian_features(const at::Tensor& tokens, const at::Tensor& distances, const Segments& molecules,
                             const GaussianTables& tables);
/// The same in ATen operators on every device: the reference.
at::Tensor composed_gaussian_features(const at::Tensor& tokens, const at::Tensor& distances,
                                      const Segments& molecules, const GaussianTables& tables);

}  // namespace headroom::torch
