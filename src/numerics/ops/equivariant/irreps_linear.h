#pragma once

#include <cstdint>
#include <vector>

#include "numerics/ops/array.h"
#include "numerics/ops/equivariant/irreps.h"

namespace headroom::ops {

/// An equivariant linear layer, without bias: channels of a kind are mixed among each other,
///
///     y[w, m] = 1 / sqrt(n) sum over u of x[u, m] W[u, w]
///
/// with n the channels of that kind in `in`. The weights of every pair of blocks of one kind, [channels in,
/// channels out], follow each other in the order of the blocks. If `in` has no block of a kind, `out` is zero
/// there. numerics/torch/equivariant.h contains the plain reference on LibTorch tensors.
///
/// The constructor packs the weights for the kernels. Each output row depends on its input row only, bit for
/// bit. A layer without weights serves to list parameter names and cannot be applied.
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
  /// The matrix from a block to a block of the same kind: [numbers in, padded numbers out], zero where
  /// components differ.
  struct BlockProduct {
    std::int64_t in, in_width;
    std::int64_t out, out_width;
    std::int64_t first_weight;
  };

  std::int64_t in_width_ = 0, out_width_ = 0;
  bool has_zeros_ = false;              ///< blocks of a kind that the input lacks
  std::vector<BlockProduct> products_;  ///< those to one block follow each other
  Floats weights_;
};

}  // namespace headroom::ops
