#pragma once

#include <ATen/core/Tensor.h>

#include "base/numerics/ops/graph.h"
#include "base/numerics/torch/layers.h"

/// The operators of base/numerics/ops/graph.h for LibTorch tensors. They consist of ATen operators, are
/// differentiable, and run on any device. Without gradients on a GPU, they call the kernels of row_kernels.h.
/// Tests compare our kernels with them.
namespace molgauge::torch {

/// ops::Edges on the device of the nodes. Tensors are int64 and contiguous.
struct Edges {
  at::Tensor source;  ///< [E] node numbers
  at::Tensor kind;    ///< [E] row of a table of features
  at::Tensor first;   ///< [n + 1] the edges into node t are first[t] to first[t + 1] - 1
};

/// ops::Segments, on one device. Tensors are int64 and contiguous.
struct Segments {
  at::Tensor first;  ///< [segments + 1] segment s is the rows first[s] to first[s + 1] - 1
  at::Tensor of;     ///< [rows] the segment of a row, ascending
  /// [segments] the number of pairs of rows in earlier segments. If undefined, attention computes it.
  at::Tensor first_pair = {};

  std::int64_t count() const { return first.size(0) - 1; }
};

/// Returns CPU tensors that share the arrays.
Edges as_tensors(const ops::Edges& edges);
/// Copies all arrays to a device in one copy operation. On a GPU, `first_pair` is set.
Segments on_device(const ops::Segments& segments, c10::Device device);
/// Returns the CPU tensors that on_device() copies to a device. The caller can move them together with other
/// tensors (move_together()).
Segments as_tensors(const ops::Segments& segments, c10::Device device);

/// Sums consecutive rows. Run r consists of the rows first[r] to first[r + 1] - 1. rows [n, d] must be
/// contiguous. The result is [runs, d]. One thread sums each number in the order of the rows. Results on a
/// GPU are therefore bit-identical in every run, unlike results of scatter operators.
at::Tensor sum_of_runs(const at::Tensor& rows, const at::Tensor& first);

/// Differentiable with respect to nodes and kinds. Allocates two tensors [E, d].
at::Tensor message_passing(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds);
/// `residual` may be undefined. It is not changed.
at::Tensor gine_layer(const at::Tensor& nodes, const Edges& edges, const at::Tensor& kinds,
                      const Dense& hidden, const Dense& out, const at::Tensor& residual);

at::Tensor segment_sum(const at::Tensor& rows, const Segments& segments);
/// states + factors * segment_sum(rows), with states [segments, d] and factors [segments, 1].
at::Tensor add_segment_sums(const at::Tensor& states, const at::Tensor& rows, const Segments& segments,
                            const at::Tensor& factors);
at::Tensor segment_max(const at::Tensor& rows, const Segments& segments);
at::Tensor add_to_segments(const at::Tensor& rows, const at::Tensor& addends, const Segments& segments);

}  // namespace molgauge::torch
