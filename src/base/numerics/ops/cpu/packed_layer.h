#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/numerics/ops/array.h"
#include "base/numerics/ops/cpu/kernels.h"

namespace molgauge::ops::cpu {

/// The parameters of a linear layer: weight [out, in], bias [out], norm_weight and norm_bias [out] or
/// nullptr.
struct PlainLayer {
  std::int64_t in, out;
  const float *weight, *bias, *norm_weight, *norm_bias;
  Activation activation;
};

/// A linear layer packed for kernels. Owns the data of layer().
class PackedLayer {
 public:
  PackedLayer(const PlainLayer& plain, Precision precision, const Kernels& kernels);
  PackedLayer(const PackedLayer&) = delete;
  PackedLayer& operator=(const PackedLayer&) = delete;

  const Layer& layer() const { return layer_; }
  /// Bytes of the packed weights.
  std::uint64_t bytes() const;

 private:
  void pack_floats(const PlainLayer& plain);
  void pack_integers(const PlainLayer& plain);
  /// Writes a column into its panel. encode(k) returns the bits of number k of the column.
  template <typename Encode>
  void pack_column(std::int64_t column, const Encode& encode);

  std::int64_t panel_columns_, columns_;  ///< columns of one panel, and columns of all panels
  Array<std::uint32_t> panels_;
  Array<std::int32_t> column_starts_;
  Floats column_scales_, bias_, norm_weight_, norm_bias_;
  Group group_;
  Layer layer_;
};

/// Scratch memory of dense() that is reused between calls. Each thread has its own object.
class DenseScratch {
 public:
  /// Enlarges the buffers if they are too small for layers of this width.
  void reserve(std::int64_t width);
  void* rounded() { return rounded_.data(); }
  float* product() { return product_.data(); }
  /// Scratch rows for the caller: gathered() for the input of a layer, and between() for the values between
  /// two layers.
  float* gathered() { return gathered_.data(); }
  float* between() { return between_.data(); }

 private:
  std::vector<std::byte> rounded_;
  std::vector<float> product_, between_, gathered_;
};

/// Returns the scratch memory of the calling thread, with room for layers of this width.
DenseScratch& dense_scratch(std::int64_t width);

}  // namespace molgauge::ops::cpu
