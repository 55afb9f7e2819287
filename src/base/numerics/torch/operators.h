#pragma once

#include "base/numerics/torch/graph.h"

namespace molgauge::torch {

/// The operators of network definitions (base/numerics/ops/operators.h) on LibTorch tensors: differentiable,
/// on any device.
struct Operators {
  using Tensor = at::Tensor;
  using Linear = torch::Linear;
  using LayerNorm = torch::LayerNorm;
  using Dense = torch::Dense;
  using Edges = torch::Edges;
  using Segments = torch::Segments;

  static Tensor zeros(std::int64_t rows, std::int64_t width, const Tensor& like);
  static Tensor apply(const LayerNorm& normalization, const Tensor& x) {
    return torch::apply(normalization, x);
  }
  static Tensor add(const Tensor& a, const Tensor& b);
  static Tensor scale(const Tensor& x, double factor);
  static Tensor join_columns(const Tensor& a, const Tensor& b);
  static Tensor pair_up(const Tensor& a, const Tensor& b);
  static Tensor mean_over_second(const Tensor& x);
  static Tensor select_rows(const Tensor& table, const Tensor& numbers);
  /// Returns residual + dense(x).
  static Tensor add_layer(const Tensor& residual, const Dense& dense, const Tensor& x) {
    return dense(x, residual);
  }
  /// Returns dense(factor * x).
  static Tensor apply_scaled(const Dense& dense, const Tensor& x, double factor) {
    return dense.scaled(x, factor);
  }
  static constexpr auto gine_layer = torch::gine_layer;
  static constexpr auto segment_sum = torch::segment_sum;
  static constexpr auto add_segment_sums = torch::add_segment_sums;
  static constexpr auto segment_max = torch::segment_max;
  static constexpr auto add_to_segments = torch::add_to_segments;
};

}  // namespace molgauge::torch
