#pragma once

#include <cstdint>

#include "base/numerics/torch/operators.h"
#include "base/numerics/torch/pair_attention.h"
#include "molecules/encoders/unimol/network.h"

namespace molgauge::encoders::unimol {

/// The operators of PairOperators (pair_operators.h) on LibTorch tensors. They are differentiable and support
/// dropout. Operators do not change their arguments. Attention is torch::attend() on the CPU. On a GPU,
/// attention and Gaussian functions come from numerics/torch/packed_attention.h.
struct TensorOperators : torch::Operators {
  using Integers = at::Tensor;
  using Dropout = torch::KeyedDropout;
  struct GaussianKernels {
    at::Tensor factors, offsets;  ///< [kinds, 1]
    at::Tensor means, widths;     ///< [1, K]
  };

  static LayerNorm make_norm(LayerNorm norm) { return norm; }
  static Linear arrange_joint(const Linear& linear, std::int64_t heads);
  static Linear arrange_mixed(const Linear& linear, std::int64_t heads);

  static Tensor pair_logits(const Integers& tokens, const Tensor& distances, const Segments& molecules,
                            const GaussianKernels& kernels, const Dense& hidden, const Dense& out);
  static Tensor embed(const Tensor& table, const Integers& tokens, const LayerNorm& norm,
                      const Segments& molecules, const Dropout& dropout);
  static Tensor normalised(const LayerNorm& norm, const Dense& layer, const Tensor& x);
  static Tensor normalise(const LayerNorm& norm, const Tensor& x);
  static Tensor attend(const Tensor& joint, Tensor& pairs, const Segments& molecules, std::int64_t heads,
                       bool first_only, const Dropout& dropout);
  static Tensor add_layer(const Tensor& x, const Dense& layer, const Tensor& input, const Segments& molecules,
                          const Dropout& dropout);
  static Tensor feed_forward(const Tensor& x, const LayerNorm& norm, const Dense& widen, const Dense& narrow,
                             const Segments& molecules, const Dropout& dropout);
  /// feed_forward(add_layer(x, layer, input), ...). Without gradients and dropout on a GPU, one kernel
  /// computes the sum and its normalisation.
  static Tensor finish_layer(const Tensor& x, const Dense& layer, const Tensor& input, const LayerNorm& norm,
                             const Dense& widen, const Dense& narrow, const Segments& molecules,
                             const Dropout& after_layer, const Dropout& after_narrow);
  static Tensor first_rows(const Tensor& x, const Segments& molecules);
};

extern template class Network<TensorOperators>;

/// Returns a batch on the device. On the CPU, its tensors share the memory of the arrays in `batch`.
BatchOf<TensorOperators> as_tensors(const Batch& batch, c10::Device device = c10::kCPU);

}  // namespace molgauge::encoders::unimol
