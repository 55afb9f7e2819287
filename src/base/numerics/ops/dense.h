#pragma once

#include <memory>

#include "base/numerics/ops/activation.h"
#include "base/numerics/ops/array.h"
#include "base/numerics/ops/cpu/packed_layer.h"
#include "base/numerics/ops/precision.h"

namespace molgauge::ops {

/// y = x W^T + b over the last axis, with x [..., in], W [out, in] and b [out].
struct Linear {
  Floats weight, bias;
};

/// Layer normalisation over the last axis with biased variance and epsilon 1e-5 (Ba et al. 2016,
/// arXiv:1607.06450). weight and bias are [width].
struct LayerNorm {
  Floats weight, bias;
};

/// activation(normalization(x W^T + b)) over the last axis. MiniMol consists of such blocks.
/// base/numerics/torch/layers.h contains the same layer on LibTorch tensors, with which tests compare it.
///
/// The constructor packs the weights for the kernels. Each output row depends only on its input row, bit for
/// bit. An object without weights cannot be applied. It is used to list parameter names.
///
/// Thread safety: may be applied by several threads at once.
class Dense {
 public:
  Dense() = default;
  Dense(const Linear& linear, Activation activation, Precision precision = Precision::fp32);
  Dense(const Linear& linear, const LayerNorm& normalization, Activation activation,
        Precision precision = Precision::fp32);

  /// x [..., in] -> [..., out].
  Floats operator()(const Floats& x) const;

  /// The packed layer for the kernels.
  const cpu::Layer& packed() const { return packed_->layer(); }
  /// Bytes of the packed weights.
  std::uint64_t bytes() const { return packed_ ? packed_->bytes() : 0; }

 private:
  std::shared_ptr<const cpu::PackedLayer> packed_;
};

/// x [..., width] -> [..., width].
Floats apply(const LayerNorm& normalization, const Floats& x);

/// Calls work(first row, number of rows) for blocks that together cover all rows. A block has cpu::kBlockRows
/// rows.
template <typename Work>
void for_row_blocks(std::int64_t rows, const Work& work) {
  for (std::int64_t first = 0; first < rows; first += cpu::kBlockRows) {
    work(first, std::min(cpu::kBlockRows, rows - first));
  }
}

}  // namespace molgauge::ops
