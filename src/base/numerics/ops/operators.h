#pragma once

#include "base/numerics/ops/dense.h"
#include "base/numerics/ops/elementwise.h"
#include "base/numerics/ops/graph.h"

namespace molgauge::ops {

/// The operators on plain arrays, under the names that network definitions use
/// (molecules/encoders/minimol/network.h). torch::Operators (base/numerics/torch/operators.h) provides
/// LibTorch versions with the same names. tests/base/numerics/torch compares both versions.
struct Operators {
  using Tensor = Floats;
  using Linear = ops::Linear;
  using LayerNorm = ops::LayerNorm;
  using Dense = ops::Dense;
  using Edges = ops::Edges;
  using Segments = ops::Segments;

  /// Returns zeros on the device of `like`.
  static Tensor zeros(std::int64_t rows, std::int64_t width, const Tensor& /*like*/) {
    return Floats::zeros({rows, width});
  }
  static Tensor apply(const LayerNorm& normalization, const Tensor& x) {
    return ops::apply(normalization, x);
  }
  static constexpr auto add = ops::add;
  static constexpr auto scale = ops::scale;
  static constexpr auto join_columns = ops::join_columns;
  static constexpr auto pair_up = ops::pair_up;
  static constexpr auto mean_over_second = ops::mean_over_second;
  static constexpr auto select_rows = ops::select_rows;
  /// Returns residual + dense(x).
  static Tensor add_layer(const Tensor& residual, const Dense& dense, const Tensor& x) {
    return add(residual, dense(x));
  }
  /// Returns dense(factor * x).
  static Tensor apply_scaled(const Dense& dense, const Tensor& x, float factor) {
    return dense(scale(x, factor));
  }
  /// Returns states + factors * segment_sum(rows).
  static Tensor add_segment_sums(const Tensor& states, const Tensor& rows, const Segments& segments,
                                 const Tensor& factors) {
    return add(states, ops::scale_rows(ops::segment_sum(rows, segments), factors));
  }
  static constexpr auto gine_layer = ops::gine_layer;
  static constexpr auto segment_sum = ops::segment_sum;
  static constexpr auto segment_max = ops::segment_max;
  static constexpr auto add_to_segments = ops::add_to_segments;
};

}  // namespace molgauge::ops
