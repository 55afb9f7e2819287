#pragma once

#include <cstdint>
#include <vector>

#include "base/numerics/ops/array.h"
#include "base/numerics/ops/equivariant/irreps.h"

namespace molgauge::ops {

/// An equivariant linear layer without bias. It mixes channels of the same kind (degree and parity):
///
///     y[w, m] = 1 / sqrt(n) sum over u of x[u, m] W[u, w]
///
/// where n is the number of channels of this kind in `in`. Each pair of an input block and an output block of
/// the same kind has a matrix of weights. The matrices are in the order of the blocks, and each is [channels
/// in, channels out]. A block of `out` is zero if `in` has no block of its kind.
/// base/numerics/torch/equivariant.h contains the same layer on LibTorch tensors, with which tests compare
/// it.
///
/// The constructor packs the weights for the kernels. An output row depends only on its input row, bit for
/// bit. A layer without weights cannot be applied. It is used to list parameter names.
///
/// Thread safety: may be applied by several threads at once.
class IrrepsLinear {
 public:
  IrrepsLinear() = default;
  /// `weight` [weight_count(in, out)].
  IrrepsLinear(const Irreps& in, const Irreps& out, const Floats& weight);

  static std::int64_t weight_count(const Irreps& in, const Irreps& out);

  /// rows [n, width of in] -> [n, width of out].
  Floats operator()(const Floats& rows) const;

 private:
  /// The matrix from a block of the input to a block of the output with the same kind: [numbers in, padded
  /// numbers out]. Entries between different components are zero.
  struct BlockProduct {
    std::int64_t in, in_width;
    std::int64_t out, out_width;
    std::int64_t first_weight;
  };

  std::int64_t in_width_ = 0, out_width_ = 0;
  bool has_zeros_ = false;              ///< the output has blocks of a kind that the input does not have
  std::vector<BlockProduct> products_;  ///< products to the same block are adjacent
  Floats weights_;
};

}  // namespace molgauge::ops
