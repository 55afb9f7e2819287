#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ops/array.h"
#include "ops/cpu/kernels.h"

namespace headroom::ops::cpu {

/// A linear layer as it comes: weight [out, in], bias [out]; norm_weight and norm_bias [out] or nullptr.
struct PlainLayer {
  std::int64_t in, out;
  const float *weight, *bias, *norm_weight, *norm_bias;
  Activation activation;
};

/// A linear layer packed for kernels, which holds the numbers that layer() points to.
class PackedLayer {
 public:
  PackedLayer(const PlainLayer& plain, Precision precision, const Kernels& kernels);
  PackedLayer(const PackedLayer&) = delete;
  PackedLayer& operator=(const PackedLayer&) = delete;

  const Layer& layer() const { return layer_; }
  /// What the packed numbers take.
  std::uint64_t bytes() const;

 private:
  void pack_floats(const PlainLayer& plain);
  void pack_integers(const PlainLayer& plain);
  /// Puts a column, as `encode(k)` gives the bits of its numbers, into its panel.
  template <typename Encode>
  void pack_column(std::int64_t column, const Encode& encode);

  std::int64_t panel_columns_, columns_;  ///< of one panel, of all of them
  Array<std::uint32_t> panels_;
  Array<std::int32_t> column_starts_;
  Floats column_scales_, bias_, norm_weight_, norm_bias_;
  Group group_;
  Layer layer_;
};

/// What dense() needs beside its arguments, kept from call to call: one a thread.
class DenseScratch {
 public:
  /// Room for layers of up to this width.
  void reserve(std::int64_t width);
  void* rounded() { return rounded_.data(); }
  float* product() { return product_.data(); }
  /// Of the caller's own: what goes into a layer, and what is between two.
  float* gathered() { return gathered_.data(); }
  float* between() { return between_.data(); }

 private:
  std::vector<std::byte> rounded_;
  std::vector<float> product_, between_, gathered_;
};

/// The calling thread's, with room for layers of up to this width.
DenseScratch& dense_scratch(std::int64_t width);

}  // namespace headroom::ops::cpu
